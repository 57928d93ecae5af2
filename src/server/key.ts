/** What features are found by. */
import type { AnyFeature } from "./feature.ts";

/** What a feature is found by in its list. */
export const keyOf = (feature: AnyFeature): string => {
  switch (feature._tag) {
    case "Tool":
    case "Prompt":
      return feature.name;
    case "Resource":
      return feature.uri;
    case "Template":
      return feature.uriTemplate;
  }
};
