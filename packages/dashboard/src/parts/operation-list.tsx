import type { ReactNode } from 'react'
import { useMedia } from '../state/media.ts'
import { useUrlState } from '../state/url-state.ts'
import { Select } from '../ui/choice.tsx'
import { SearchField } from '../ui/text-field.tsx'
import { isFound, type Operation } from './operations.ts'
import './operation-list.css'

/** Below this width the list is a single control. */
const NARROW = '(max-width: 900px)'

export function OperationList({
  operations,
  chosen,
  onChoose,
}: {
  readonly operations: readonly Operation[]
  readonly chosen: Operation
  readonly onChoose: (id: string) => void
}): ReactNode {
  const [text, setText] = useUrlState('find', '', { isTyped: true })
  const isNarrow = useMedia(NARROW)
  if (isNarrow) {
    return (
      <Select
        label="Operation"
        options={operations.map(({ id, summary, method, path }) => ({
          value: id,
          label: summary,
          about: `${method} ${path}`,
        }))}
        value={chosen.id}
        onChange={onChoose}
      />
    )
  }
  const found = Map.groupBy(
    operations.filter((one) => isFound(one, text)),
    ({ tag }) => tag,
  )
  return (
    <nav aria-label="Operations" className="operation-list stack">
      <SearchField label="Find an operation" value={text} onChange={setText} />
      <div className="operation-tags stack gap-16">
        {[...found].map(([tag, list]) => (
          <section key={tag} aria-label={tag}>
            <h2 className="small muted">{tag}</h2>
            {list.map((one) => (
              <button
                key={one.id}
                type="button"
                className="operation-entry pick"
                aria-current={one === chosen}
                title={`${one.method} ${one.path}`}
                onClick={() => onChoose(one.id)}
              >
                <MethodMark method={one.method} />
                <span className="cut">{one.summary}</span>
              </button>
            ))}
          </section>
        ))}
        {found.size === 0 && <p className="muted small">No operation matches.</p>}
      </div>
    </nav>
  )
}

/** `GET`, `POST`: as wide as each other, what deletes in red. */
export function MethodMark({ method }: { readonly method: string }): ReactNode {
  const kind = method === 'DELETE' ? 'operation-method operation-deletes' : 'operation-method'
  return <span className={kind}>{method === 'DELETE' ? 'DEL' : method}</span>
}
