/** Lines of text. */

/** Splits text into its lines. */
export class TextLineStream extends TransformStream<string, string> {
  constructor() {
    let rest = "";
    super({
      transform: (text, controller) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop()!;
        for (const line of lines) controller.enqueue(line);
      },
      flush: (controller) => {
        if (rest !== "") controller.enqueue(rest);
      },
    });
  }
}
