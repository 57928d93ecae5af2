/** Host turns: the wait in which a run shows whether anything in it still moves. */

interface Host {
  readonly setImmediate?: (run: () => void) => unknown;
  readonly MessageChannel?: typeof MessageChannel;
}

/** Runs `run` after everything that the host has queued by now; not later than a zero timer would. */
export const afterTurn = (run: () => void): void => {
  const host = globalThis as Host;
  if (host.setImmediate !== undefined) {
    host.setImmediate(run);
  } else if (host.MessageChannel !== undefined) {
    const channel = new host.MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      run();
    };
    channel.port2.postMessage(undefined);
  } else {
    setTimeout(run, 0);
  }
};
