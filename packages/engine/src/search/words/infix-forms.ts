import { idsWithInfix } from '../../dictionary/term-walks.ts'
import type { IndexView } from '../view/index-view.ts'
import type { InfixForms } from './resolved-slot.ts'

/** Forms read between two deadline checks, roughly. */
const FORMS_PER_CHECK = 4096

export function findInfixForms(
  { terms, trie, docCount }: IndexView,
  texts: readonly string[],
  checkDeadline: () => void,
): InfixForms {
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
