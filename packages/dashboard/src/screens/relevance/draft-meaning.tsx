import type { ReactNode } from 'react'
import { useSettings } from '../../parts/store-queries.ts'
import { Select } from '../../ui/choice.tsx'
import { shown, withMeaning, type DraftProps } from '../../parts/draft-changes.ts'
import { Row, Slider } from './draft-controls.tsx'

const STEP = 0.05
const QUESTIONS = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** How much meaning counts, in a store that searches by it. */
export function DraftMeaning({ draft, onChange }: Omit<DraftProps, 'live'>): ReactNode {
  const live = useSettings().data?.semantic
  if (live === undefined || live === null) return null
  const own = draft.semantic ?? {}
  const set = (name: keyof typeof own, value: unknown): void =>
    onChange(withMeaning(draft, live, name, value))
  const liveOf = (name: keyof typeof own): string | undefined =>
    name in own ? shown(live[name]) : undefined
  const { weight, questions, min_similarity: least } = { ...live, ...own }
  return (
    <>
      <h3>Search by meaning</h3>
      <Slider
        label="Weight of meaning"
        live={liveOf('weight')}
        value={weight}
        max={1}
        step={STEP}
        onChange={(value) => set('weight', value)}
      />
      <Slider
        label="Products without the words"
        live={liveOf('min_similarity')}
        value={least ?? undefined}
        max={1}
        step={STEP}
        onChange={(value) => set('min_similarity', value)}
        onReset={() => set('min_similarity', live.min_similarity)}
      />
      <Row label="Questions" live={liveOf('questions')} isWide>
        <Select
          label="Questions"
          isLabelHidden
          options={QUESTIONS}
          value={String(questions)}
          onChange={(value) => set('questions', value === 'true')}
        />
      </Row>
    </>
  )
}
