import { idsWithInfix } from '../../dictionary/term-walks.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { InfixForms } from './resolved-slot.ts'

/** Approximate number of forms read between two deadline checks. */
const FORMS_PER_CHECK = 4096

/** The live forms that contain one of the texts. */
export function findInfixForms(run: SearchRun, texts: readonly string[]): InfixForms {
  const { checkDeadline } = run
  const { terms, trie, docCount } = run.view
  const forms = new Set<number>()
  let docFreq = 0
  let seen = 0
  for (const text of texts) {
    for (const form of idsWithInfix(terms, trie, text)) {
      if (++seen % FORMS_PER_CHECK === 0) checkDeadline()
      const formDocFreq = terms.formDocFreq(form)
      if (formDocFreq === 0 || forms.has(form)) continue
      docFreq += formDocFreq
      forms.add(form)
    }
  }
  return { texts, forms: [...forms], docFreq: Math.min(docCount, docFreq) }
}
