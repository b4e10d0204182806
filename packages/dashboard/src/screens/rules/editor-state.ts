import type { PreviewRuleRequest, RulePreview } from '@aisle/contract'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNow, useDebounced } from '../../state/clock.ts'
import { useStore } from '../../session/store.ts'
import { useUrlState } from '../../state/url-state.ts'
import {
  changedRule,
  filledRule,
  occasionOf,
  type NamedRule,
  type RuleChanges,
  type RuleOccasion,
  type RuleValue,
} from './rule-draft.ts'
import { categoryRule, type CategoryPage } from './category-page.ts'
import { previewTime } from './rule-words.ts'
import { useEditor, type Editor } from '../../parts/editor.tsx'

export interface RuleEditorState {
  readonly draft: NamedRule
  readonly rule: RuleValue
  readonly isNew: boolean
  readonly editor: Editor<NamedRule>
  readonly setId: (id: string) => void
  /** The whole rule, or some of its members; `undefined` removes a member. */
  readonly set: (rule: RuleValue) => void
  readonly change: (changes: RuleChanges) => void
  /** The query with the visible results. */
  readonly q: string
  readonly setQ: (q: string) => void
  readonly occasion: RuleOccasion
  /** The time of the preview, if it is not now. */
  readonly at: string | undefined
}

/** The rule being edited, and what its preview shows. */
export function useRuleEditor(
  saved: NamedRule | undefined,
  category?: CategoryPage,
): RuleEditorState {
  const { storeId } = useStore()
  const nowMs = useNow()
  const [address] = useUrlState('q')
  const [asked] = useState(address)
  const first = useMemo(
    () => saved ?? (category === undefined ? newRule(asked) : categoryRule(category)),
    [saved, asked, category],
  )
  // There is one draft of a new rule, whatever query it began with.
  const editor = useEditor<NamedRule>(
    `rule/${storeId}/${saved?.id ?? category?.filter ?? ''}`,
    first,
  )
  const draft = editor.value
  const [q, setQ] = useUrlState('q', queryOf(draft.value), { isTyped: true })
  const set = (value: RuleValue): void => editor.set({ ...draft, value })
  return {
    draft,
    rule: draft.value,
    isNew: saved === undefined,
    editor,
    setId: (id) => editor.set({ ...draft, id }),
    set,
    change: (changes) => set(changedRule(draft.value, changes)),
    q,
    setQ,
    occasion: occasionOf(draft.value, q),
    at: previewTime(filledRule(draft.value), nowMs),
  }
}

function newRule(q: string): NamedRule {
  if (q.trim() === '') return { id: '', value: {} }
  return { id: '', value: { when: [{ query: q, match: 'exact' }] } }
}

/** An id that says what the rule is about: the words of its first condition. */
export function suggestedId(rule: RuleValue): string {
  const words =
    queryOf(rule)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.join('-').slice(0, ID_MAX_CHARS)
}

const ID_MAX_CHARS = 60

function queryOf({ when = [] }: RuleValue): string {
  return when.find(({ query }) => query !== undefined)?.query ?? ''
}

/** The results without and with the rule. @param shown maximum number of hits */
export function usePreview(
  { draft, isNew, occasion, at }: RuleEditorState,
  shown: number,
): UseQueryResult<RulePreview> {
  const { storeId, calls } = useStore()
  const request: PreviewRuleRequest = {
    rule: { ...filledRule(draft.value), ...(isNew ? {} : { id: draft.id }) },
    search: { ...occasion, per_page: shown, explain: true },
    ...(at === undefined ? {} : { at }),
  }
  const settled = useDebounced(JSON.stringify(request))
  return useQuery({
    queryKey: ['rule-preview', storeId, settled],
    queryFn: () => calls.previewRule(JSON.parse(settled) as PreviewRuleRequest),
    placeholderData: keepPreviousData,
  })
}
