/** A failure of the set-up that the user can do something about: one sentence that says what. */
export class Problem extends Error {
  constructor(sentence) {
    super(sentence);
    this.name = 'Problem';
  }
}

/** Runs a command of this folder: a problem is printed as its sentence, anything else with its stack. */
export async function runTool(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(error instanceof Problem ? error.message : error);
    process.exitCode = 1;
  }
}
