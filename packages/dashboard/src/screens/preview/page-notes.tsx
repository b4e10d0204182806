import type { SearchResponse } from '@aisle/contract'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { storePath, useStore } from '../../session/store.ts'
import { Badge, Chip } from '../../ui/badge.tsx'
import { Note } from '../../ui/states.tsx'
import { AnswerNotes } from '../../parts/answer-notes.tsx'
import { TasteNotes } from './preview-visitor.tsx'

/** Notes on the results as a whole: corrections, rules, banners, warnings. */
export function PageNotes({
  answer,
  onSearch,
  onKeepWords,
}: {
  readonly answer: SearchResponse
  readonly onSearch: (q: string) => void
  /** Searches a part of the query as words. */
  readonly onKeepWords: (text: string) => void
}): ReactNode {
  const { storeId } = useStore()
  const { suggestions = [], applied_rules: rules = [], interpretation } = answer
  const asked = (text: string): ReactNode => (
    <button type="button" className="preview-more text-link" onClick={() => onSearch(text)}>
      {text}
    </button>
  )
  return (
    <>
      {answer.corrected_query !== undefined && (
        <Note>
          Results for <strong>{answer.corrected_query}</strong>: a word of the query is not in the
          catalog.
        </Note>
      )}
      {answer.matched_terms === 'any' && answer.found > 0 && (
        <Note>Few products have all of these words. Some results lack one.</Note>
      )}
      {answer.did_you_mean !== undefined && <Note>Did you mean {asked(answer.did_you_mean)}?</Note>}
      {interpretation !== undefined && interpretation.filters.length > 0 && (
        <div className="row small">
          <span className="muted">
            {interpretation.applied ? 'Filters read in the query' : 'Filters the query may mean'}
          </span>
          {interpretation.filters.map(({ text, start, filter_by: filter }) => (
            <Chip
              key={start}
              removeLabel={`Search “${text}” as words`}
              onRemove={() => onKeepWords(text)}
            >
              {filter}
            </Chip>
          ))}
        </div>
      )}
      {suggestions.length > 0 && (
        <div className="row small">
          <span className="muted">Suggestions</span>
          {suggestions.map(({ text }) => (
            <span key={text}>{asked(text)}</span>
          ))}
        </div>
      )}
      {rules.length > 0 && (
        <div className="row small">
          <span className="muted">Rules that applied</span>
          {rules.map((id) => (
            <Link key={id} href={`${storePath(storeId, 'rules')}?rule=${encodeURIComponent(id)}`}>
              <Badge kind="accent">{id}</Badge>
            </Link>
          ))}
        </div>
      )}
      {answer.search_cutoff === true && (
        <Note kind="warn">Timed out. These results cover part of the products.</Note>
      )}
      <TasteNotes answer={answer} />
      <AnswerNotes answer={answer} />
    </>
  )
}
