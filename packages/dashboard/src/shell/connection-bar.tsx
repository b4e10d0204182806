import { UnreachableError, RefusedError } from '@aisle/client'
import { useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'

const ASK_AGAIN_MS = 3_000

/**
 * Shows that the service does not respond, and disappears when it does; the page retries
 * automatically.
 */
export function ConnectionBar(): ReactNode {
  const queries = useQueryClient()
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine)
  const [isLost, setLost] = useState(false)
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ query }) => {
        const { error } = query.state
        const isBusy = error instanceof RefusedError && error.status === 503
        if (error instanceof UnreachableError || isBusy) setLost(true)
      }),
    [queries],
  )
  useEffect(() => {
    if (!isLost || !isOnline) return
    const timer = setInterval(() => {
      void fetch('/livez').then(
        async (answer) => {
          if (!answer.ok) return
          setLost(false)
          await queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
        },
        () => undefined,
      )
    }, ASK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [isLost, isOnline, queries])
  if (isOnline && !isLost) return null
  return (
    <div className="connection-bar" role="status">
      <WifiOff size={16} aria-hidden />
      {isOnline
        ? 'The service is not responding. Your input is kept; retrying.'
        : 'You are offline. Your input is kept.'}
    </div>
  )
}

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
