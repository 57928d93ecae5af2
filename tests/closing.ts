/** What is closed after it was used, as by `await using`, which Node before 24 cannot read. */

/** Runs `use` with what was made, then closes it, whatever happened. */
export const closing = async <A extends AsyncDisposable, B>(
  made: Promise<A>,
  use: (made: A) => Promise<B>,
): Promise<B> => {
  const opened = await made;
  try {
    return await use(opened);
  } finally {
    await opened[Symbol.asyncDispose]();
  }
};
