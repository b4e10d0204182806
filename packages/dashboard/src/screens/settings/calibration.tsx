import { similarityCut, type JudgedPair } from '@aisle/client'
import type { SimilarityPair, StoreSettings } from '@aisle/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, SkipForward, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { overSettings } from '../../parts/store-queries.ts'
import { useMay } from '../../session/session.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { perform } from '../../state/change.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote, SkeletonLines } from '../../ui/states.tsx'

/** Finds the least similarity of products without the words, by asking about pairs. */
export function Calibration({ settings }: { readonly settings: StoreSettings }): ReactNode {
  const mayEdit = useMay('editor')
  const [isOpen, setOpen] = useState(false)
  if (settings.embedding === undefined || settings.embedding.documents_done === 0) return null
  return (
    <div className="row">
      <Button size="small" isDisabled={!mayEdit} onPress={() => setOpen(true)}>
        Calibrate similarity
      </Button>
      <span className="small muted">Judge some pairs, and get the value for your products.</span>
      {isOpen && <CalibrationDialog settings={settings} onClose={() => setOpen(false)} />}
    </div>
  )
}

function CalibrationDialog({
  settings,
  onClose,
}: {
  readonly settings: StoreSettings
  readonly onClose: () => void
}): ReactNode {
  const { storeId, calls } = useStore()
  const refresh = useRefresh()
  const [place, setPlace] = useState(0)
  const [judged, setJudged] = useState<readonly JudgedPair[]>([])
  const { data, error } = useQuery({
    queryKey: ['similarity-pairs', storeId],
    queryFn: () => calls.similarityPairs(),
    // The same pairs until the dialog is closed.
    staleTime: Infinity,
    gcTime: 0,
  })
  const change = useMutation({
    mutationFn: (cut: number) =>
      perform({
        write: () =>
          overSettings(calls, settings, (etag) =>
            calls.changeSettings({ semantic: { min_similarity: cut } }, etag),
          ),
        after: () => refresh('settings'),
        done: () => `Products without the words are found from ${formatNumber(cut, 2)} on`,
        undo: ({ etag }) =>
          calls.rollbackSettings(settings.version, etag).then(() => refresh('settings')),
      }),
    onSuccess: onClose,
    onError: () => refresh('settings'),
  })
  const pair = data?.pairs[place]
  const next = (isRight?: boolean): void => {
    if (pair !== undefined && isRight !== undefined) {
      setJudged([...judged, { similarity: pair.similarity, isRight }])
    }
    setPlace(place + 1)
  }
  const { cut, judged: above, right } = similarityCut(judged)
  const result =
    cut === undefined
      ? 'No value yet: it needs five pairs, and eight in ten right from there on.'
      : `From ${formatNumber(cut, 2)} on, ${right} of ${formatCount(above, 'judged pair')} fit.`
  return (
    <Dialog
      title="Calibrate similarity"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="primary"
            isDisabled={cut === undefined || change.isPending}
            onPress={() => change.mutate(cut!)}
          >
            {cut === undefined ? 'Set similarity' : `Set similarity to ${formatNumber(cut, 2)}`}
          </Button>
        </>
      }
    >
      {error !== null && <ErrorNote error={error} attempt="load" />}
      {data === undefined && error === null && <SkeletonLines count={4} />}
      {data !== undefined && pair === undefined && (
        <p>{data.pairs.length === 0 ? 'No product is prepared yet.' : 'All pairs judged.'}</p>
      )}
      {pair !== undefined && (
        <Pair pair={pair} place={place} count={data!.pairs.length} onAnswer={next} />
      )}
      {change.error !== null && <ErrorNote error={change.error} />}
      <p className="small muted" aria-live="polite">
        {result}
      </p>
    </Dialog>
  )
}

/** Without its similarity, which would be an answer. */
function Pair({
  pair: { query, text },
  place,
  count,
  onAnswer,
}: {
  readonly pair: SimilarityPair
  readonly place: number
  readonly count: number
  readonly onAnswer: (isRight?: boolean) => void
}): ReactNode {
  return (
    <section className="stack gap-12" aria-label={`Pair ${place + 1} of ${count}`}>
      <p className="small muted">
        {place + 1} of {count}. Should a search for the query find this product?
      </p>
      <p>
        <span className="muted">Query</span> <bdi className="strong">{query}</bdi>
      </p>
      <p>
        <span className="muted">Product</span> <bdi className="strong">{text}</bdi>
      </p>
      <div className="row">
        <Button icon={Check} onPress={() => onAnswer(true)}>
          Yes
        </Button>
        <Button icon={X} onPress={() => onAnswer(false)}>
          No
        </Button>
        <Button variant="ghost" icon={SkipForward} onPress={() => onAnswer()}>
          Skip
        </Button>
      </div>
    </section>
  )
}
