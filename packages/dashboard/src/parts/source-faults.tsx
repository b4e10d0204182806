import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { storePath, useStore } from '../session/store.ts'
import { Note } from '../ui/states.tsx'
import { sourceFault, useSources } from './sources.ts'

/** A line for each source that is stale, failing or much smaller than before. */
export function SourceFaults(): ReactNode {
  const { storeId } = useStore()
  const { data: sources = [] } = useSources()
  return sources.map((source) => {
    const fault = sourceFault(source)
    if (fault === undefined || source.paused) return null
    const address = `${storePath(storeId, 'sources')}?source=${encodeURIComponent(source.name)}`
    return (
      <Note key={source.name} kind="warn">
        <p>
          Source{' '}
          <Link href={address}>
            <bdi>{source.name}</bdi>
          </Link>
          : {fault}
        </p>
      </Note>
    )
  })
}
