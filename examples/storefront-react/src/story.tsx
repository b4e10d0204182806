import { useEffect, useState, useSyncExternalStore } from 'react'
import { Icon } from './icons.tsx'
import { useShop } from './shop-context.ts'

interface StoryProps {
  readonly isExplaining: boolean
  setExplaining(isExplaining: boolean): void
}

/** Behind the scenes of this page: its requests, their milliseconds, its events. */
export function Story({ isExplaining, setExplaining }: StoryProps) {
  const { visit } = useShop()
  const [isOpen, setOpen] = useState(false)
  const [isAlive, setAlive] = useState(false)
  useEffect(() => setAlive(true), [])
  useSyncExternalStore(
    (listener) => visit?.listen(listener) ?? (() => undefined),
    () => visit?.version ?? 0,
    () => 0,
  )
  const last = visit?.requests[0]
  return (
    <aside className="story" aria-label="About this shop">
      <div className="story-bar">
        <button
          type="button"
          className="quiet"
          aria-expanded={isOpen}
          disabled={!isAlive}
          onClick={() => setOpen(!isOpen)}
        >
          This shop runs on Aisle
          {last !== undefined && ` · ${last.path} ${last.tookMs.toFixed(0)} ms`}
        </button>
        <label className="switch">
          <input
            type="checkbox"
            role="switch"
            checked={isExplaining}
            onChange={() => setExplaining(!isExplaining)}
          />
          Why is this here
        </label>
      </div>
      {isOpen && (
        <div className="story-panel">
          <button
            type="button"
            className="layout-button story-close"
            aria-label="Close"
            onClick={() => setOpen(false)}
          >
            <Icon name="close" />
          </button>
          <h2>Behind this page</h2>
          <p>
            It uses only the published clients, <code>@aisle/client</code> and{' '}
            <code>@aisle/events</code>; its source is <code>examples/storefront-react</code>. The
            dashboard shows these events as they come in, under <i>Visitors, Events</i>.
          </p>
          <div className="story-columns">
            <section>
              <h3>Requests</h3>
              <ul>
                {visit?.requests.slice(0, 8).map(({ path, tookMs, serviceMs, body }, i) => (
                  <li key={`${visit.requests.length - i} ${path}`}>
                    <details>
                      <summary>
                        <code>{path}</code> {tookMs.toFixed(0)} ms
                        {serviceMs !== undefined && `, search ${serviceMs} ms`}
                      </summary>
                      <pre tabIndex={0}>{JSON.stringify(body, undefined, 1)}</pre>
                    </details>
                  </li>
                ))}
              </ul>
            </section>
            <section>
              <h3>Events</h3>
              {visit?.sent.length === 0 && <p>None yet: open a product.</p>}
              <ul>
                {visit?.sent.slice(0, 12).map(({ name, detail, atMs }, i) => (
                  <li key={`${atMs} ${i}`}>
                    <b>{name}</b> {detail}
                  </li>
                ))}
              </ul>
            </section>
          </div>
        </div>
      )}
    </aside>
  )
}
