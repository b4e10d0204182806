import { compareCodePoints } from '../codec/code-points.ts'
import { typedLength } from '../query/beginnings.ts'
import { COMPLETION_CANDIDATES_MAX } from '../query/completion.ts'
import type { CompletionOutcome, CompletionRequest } from '../query/completion.ts'
import type { SearchPlan } from '../query/plan.ts'
import { meetsConditions } from './conditions.ts'
import type { CandidateDocument } from './candidate-document.ts'
import { matches } from './filter.ts'
import type { WordSource } from './word-catalog.ts'

/** "Completions" in docs/ranking.md. */
export function findCompletions(
  plan: SearchPlan,
  { words, fields, prefix, limit, countMax = Infinity }: CompletionRequest,
  { catalog, analyzer }: WordSource,
  documents: readonly CandidateDocument[],
): CompletionOutcome {
  const searched = plan.fieldWeights.map(
    (weight, field) => weight > 0 && (fields === undefined || fields[field] === true),
  )
  const company = documents.filter(
    (document) =>
      meetsConditions(plan, document) &&
      matches(document, plan.filter ?? { kind: 'and', nodes: [] }, analyzer) &&
      words.every((stems) => stems.some((stem) => holds(searched, document, stem))),
  )
  const completions =
    prefix === undefined
      ? []
      : completionCandidates(prefix, words, { catalog, analyzer })
          .map(({ form, stem }) => {
            const docCount = company.filter((document) => holds(searched, document, stem)).length
            return { form, docCount }
          })
          .filter(({ docCount }) => docCount > 0)
          .sort((a, b) => b.docCount - a.docCount || compareCodePoints(a.form, b.form))
  const docCount = prefix === undefined ? Math.min(company.length, countMax) : company.length
  return { docCount, completions: completions.slice(0, limit), cutoff: false }
}

/**
 * The candidates to count: the most frequent form of each stem group except those of the other
 * words, for the groups with most documents.
 */
export function completionCandidates(
  prefix: string,
  words: CompletionRequest['words'],
  { catalog, analyzer }: WordSource,
): { form: string; stem: string }[] {
  const byStem = new Map<string, string>()
  const forms = catalog
    .formsLike({ kind: 'beginning', text: prefix })
    .filter((form) => typedLength(form, prefix, analyzer) >= 0 && !analyzer.isStopword(form))
  for (const form of forms.toSorted(
    (a, b) => catalog.formDocFreq(b) - catalog.formDocFreq(a) || compareCodePoints(a, b),
  )) {
    const stem = analyzer.stem(form)
    if (!byStem.has(stem)) byStem.set(stem, form)
  }
  return [...byStem]
    .map(([stem, form]) => ({ stem, form }))
    .filter(({ form, stem }) => form !== prefix && !words.flat().includes(stem))
    .sort(
      (a, b) =>
        catalog.groupDocFreq(b.stem) - catalog.groupDocFreq(a.stem) ||
        compareCodePoints(a.form, b.form),
    )
    .slice(0, COMPLETION_CANDIDATES_MAX)
}

function holds(searched: readonly boolean[], document: CandidateDocument, stem: string): boolean {
  return document.tokens.some(
    (tokens, field) => searched[field] === true && tokens.some((token) => token.stem === stem),
  )
}
