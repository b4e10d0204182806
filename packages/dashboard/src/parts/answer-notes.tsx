import type { SearchResponse } from '@aisle/contract'
import type { ReactNode } from 'react'
import { Note } from '../ui/states.tsx'
import './answer-notes.css'

/** What rules made of a search, besides its hits, and its warnings. */
export function AnswerNotes({ answer }: { readonly answer: SearchResponse }): ReactNode {
  const { metadata = {}, warnings = [], rewritten_query: rewritten } = answer
  return (
    <>
      {metadata.redirect !== undefined && (
        <Note kind="warn">
          A rule sends visitors to <code>{metadata.redirect.url}</code> instead of showing these
          results.
        </Note>
      )}
      {rewritten !== undefined && (
        <Note>
          Rules searched for <strong>{rewritten}</strong> instead.
        </Note>
      )}
      {(metadata.banners ?? []).map((banner, i) => (
        <Banner key={i} banner={banner} />
      ))}
      {warnings.map((warning) => (
        <Note key={warning} kind="warn">
          {warning}
        </Note>
      ))}
    </>
  )
}

/** A banner has any content the shop likes: its texts are shown, its markup is not rendered. */
function Banner({ banner }: { readonly banner: unknown }): ReactNode {
  if (typeof banner === 'string') return <div className="banner strong">{banner}</div>
  const { title, text } = (banner ?? {}) as { readonly title?: unknown; readonly text?: unknown }
  return (
    <div className="banner">
      {typeof title === 'string' && <span className="strong">{title}</span>}
      {typeof text === 'string' && <span>{text}</span>}
      {typeof title !== 'string' && typeof text !== 'string' && (
        <code>{JSON.stringify(banner)}</code>
      )}
    </div>
  )
}
