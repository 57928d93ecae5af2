/** The gate of a handler that waits for the client. */
import type * as Context from "effect/Context";
import type * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import type { Capability } from "../model/capability.ts";
import type { Json } from "../model/json.ts";
import type { Question } from "../model/question.ts";
import { digestOf } from "./digest.ts";
import type { Region } from "./gate.ts";
import type { Conversation, Waiting } from "./live_conversation.ts";
import { Inquiry, type Reply } from "./live_inquiry.ts";
import { lacking, unanswerable } from "./obstacle.ts";
import type { Outcome } from "./outcome.ts";
import type { AnyFiber, Obstacle, Put, Reached, Reason } from "./parts.ts";
import type { Round } from "./round.ts";
import { SettlingGate } from "./settle.ts";
import { exhausted } from "./verdict.ts";

/**
 * The gate of one pass. A question goes out when it is asked, and its answer lets the handler go on. What ends the pass
 * before the handler does: what cannot be asked; `again`, once no question is open; misuse.
 */
export class LiveGate<A, E> extends SettlingGate<A, E> implements Waiting {
  readonly #conversation: Conversation;
  readonly #open = new Map<string, Inquiry>();
  readonly #unsent = new Set<Inquiry>();
  /** How often no question was open any more: a client that has to come back would have done so as often. */
  #answered = 0;

  constructor(
    round: Round,
    context: Context.Context<never>,
    conversation: Conversation,
    resume: (outcome: Effect.Effect<Outcome<A, E>>) => void,
  ) {
    super(round, context, resume);
    this.#conversation = conversation;
  }

  get over(): boolean {
    return this.#has("Missing") || (this.#open.size === 0 && this.#has("Again"));
  }

  get waits(): boolean {
    return !this.closed && (this.#open.size > 0 || this.polling > 0);
  }

  override get number(): number {
    return this.round.journal.round + this.#answered;
  }

  override get roundTimeout(): Duration.Duration {
    return this.#conversation.limits.roundTimeout;
  }

  get disconnect(): Effect.Effect<void> {
    return this.closed ? Effect.void : this.#conversation.peer.disconnect;
  }

  override supports(capability: Capability): boolean {
    return this.#conversation.peer.supports(capability);
  }

  obstacle(question: Question, reached: Reached): Obstacle | undefined {
    const known = this.#conversation.obstacle(this, reached);
    if (known !== undefined) return known;
    const reason = this.#conversation.peer.cannotSay(question);
    return reason === undefined ? lacking(this, question) : unanswerable(reason);
  }

  put<B, F, R>(
    fiber: AnyFiber,
    region: Region,
    put: Put,
    next: () => Effect.Effect<B, F, R>,
  ): Effect.Effect<B, F, R> {
    const { maxRounds } = this.round.limits;
    if (this.#open.size === 0 && this.number >= maxRounds) {
      return this.misuse(fiber, region, exhausted(maxRounds, [["still asked", [put.key]]]).message);
    }
    return Effect.flatMap(this.wait(fiber, region, [put], () => this.#inquiry(put)), next);
  }

  override finished(interaction: string): void {
    this.#conversation.finished(interaction);
  }

  override changed(): void {
    super.changed();
    if (this.waits) this.#conversation.waits(this);
  }

  /**
   * Questions go out from here, after the stack that asked them: so that one whose fiber leaves in the same breath is
   * never put (G10), and nobody is asked for a call that ends because it cannot ask something else.
   */
  override check(quiet = false): void {
    super.check(quiet);
    if (this.closed || this.#unsent.size === 0 || this.#has("Missing")) return;
    const inquiries = [...this.#unsent];
    this.#unsent.clear();
    for (const inquiry of inquiries) {
      inquiry.send(this.context, this.#conversation, (reply) => this.#replied(inquiry, reply));
    }
  }

  protected override drop(): void {
    for (const inquiry of [...this.#open.values()]) inquiry.withdraw();
  }

  /** The question that is open under the key, which is the same one; or it is opened. */
  #inquiry({ key, question }: Put): Inquiry {
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const reached = this.reached!.get(key)!;
    const inquiry = new Inquiry(reached, question, () => {
      this.#open.delete(key);
      this.#unsent.delete(inquiry);
    });
    this.#open.set(key, inquiry);
    this.#unsent.add(inquiry);
    return inquiry;
  }

  #has(tag: Reason["_tag"]): boolean {
    for (const { reason } of this.unmet?.values() ?? []) if (reason._tag === tag) return true;
    return false;
  }

  #replied(inquiry: Inquiry, reply: Reply): void {
    const { reached } = inquiry;
    const { key } = reached.spec;
    this.#open.delete(key);
    if (reply._tag === "Exhausted") {
      this.fault ??= exhausted(this.#conversation.limits.maxRounds, [["still asked", [key]]]).message;
      return this.changed();
    }
    if (reply._tag === "Answer") {
      (this.accepted ??= new Map()).set(key, { digest: digestOf(this, reached), raw: reply.raw as Json });
    } else {
      this.#conversation.remember(this, reached, reply);
    }
    // Where an interim round would stay open for more questions, this is not the end of one.
    if (this.#open.size === 0 && this.holding === 0 && !this.running?.size) this.#answered++;
    inquiry.wake();
  }
}
