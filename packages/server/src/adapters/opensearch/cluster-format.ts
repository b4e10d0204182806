/**
 * Of the control documents. A node that knows less than another one has written must not decide on
 * it: it refuses to start. Raised when a node of the version before could misread a document.
 */
export const CLUSTER_FORMAT = 1
