/** What is said of defects, which may be anything. */
import * as Result from "effect/Result";

const nameless = "The step died";

/** May break: a getter of the author's own may throw. */
const said = (defect: unknown): unknown => {
  if (defect instanceof Error) return defect.message || defect.name;
  return typeof defect === "object" && defect !== null ? nameless : String(defect);
};

/** The text by which the defect of a step is remembered. */
export const defectText = (defect: unknown): string => {
  const text = Result.getOrElse(Result.try(() => said(defect)), () => nameless);
  return typeof text === "string" ? text : nameless;
};
