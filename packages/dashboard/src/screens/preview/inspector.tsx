import type { SearchResponse } from '@aisle/contract'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { storePath, useStore } from '../../session/store.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ParameterPanel } from '../../parts/parameter-panel.tsx'
import type { PreviewState } from './preview-state.ts'
import { searchSamples } from '../../parts/search-samples.ts'

/** Beside the results: the request, the response, and the same as code. */
export function Inspector({
  state,
  answer,
}: {
  readonly state: PreviewState
  readonly answer: SearchResponse | undefined
}): ReactNode {
  const { storeId } = useStore()
  const { request } = state
  const json = (value: unknown): string => JSON.stringify(value, undefined, 2)
  return (
    <Tabs
      label="Search details"
      parameter="side"
      tabs={[
        {
          id: 'parameters',
          label: 'Parameters',
          content: <ParameterPanel {...state} />,
        },
        {
          id: 'request',
          label: 'Request',
          content: (
            <div className="stack">
              <p className="small muted">
                POST <code>/v1/search</code>. The preview adds <code>analytics: false</code>, so
                that it is not counted.
              </p>
              <CodeBlock label="Request" samples={[{ label: 'JSON', code: json(request) }]} />
            </div>
          ),
        },
        {
          id: 'response',
          label: 'Response',
          content: (
            <CodeBlock
              label="Response"
              samples={[{ label: 'JSON', code: answer === undefined ? '…' : json(answer) }]}
            />
          ),
        },
        {
          id: 'code',
          label: 'Code',
          content: (
            <div className="stack">
              <CodeBlock
                label="As code"
                samples={searchSamples(request, {
                  url: location.origin,
                  storeId,
                  readSecret: 'READ_SECRET',
                })}
              />
              <p className="small muted">
                <code>READ_SECRET</code> is on the page{' '}
                <Link href={storePath(storeId, 'keys')}>Keys</Link>.
              </p>
            </div>
          ),
        },
      ]}
    />
  )
}
