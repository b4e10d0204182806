import type { ReactNode } from 'react'
import { TextHint } from '../../ui/hint.tsx'
import { Section } from '../../ui/page.tsx'

export interface Fact {
  readonly name: string
  readonly value: ReactNode
  /** In a tooltip. */
  readonly about?: string
}

/** Names and values below each other, in a card. */
export function Facts({
  title,
  facts,
}: {
  readonly title: string
  readonly facts: readonly Fact[]
}): ReactNode {
  return (
    <Section title={title}>
      <dl className="health-facts">
        {facts.map(({ name, value, about }) => (
          <div key={name}>
            <dt className="muted">
              {about === undefined ? name : <TextHint text={about}>{name}</TextHint>}
            </dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
