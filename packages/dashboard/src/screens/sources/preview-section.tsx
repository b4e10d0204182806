import type { SourcePreview } from '@aisle/client'
import type { ReactNode } from 'react'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { ProductLine } from '../../parts/product-card.tsx'
import { productFacts } from '../../parts/product-fields.ts'
import { useSettings } from '../../parts/store-queries.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { Note, SkeletonLines } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** What the first rows of a source become, and which field each column goes to. */
export function PreviewSection({
  preview,
  isPending,
  mapping,
  onMap,
  onRead,
  children,
}: {
  readonly preview: SourcePreview | undefined
  readonly isPending: boolean
  readonly mapping: Readonly<Record<string, string>>
  readonly onMap: (mapping: Readonly<Record<string, string>>) => void
  readonly onRead: () => void
  /** Shown above the fields. */
  readonly children?: ReactNode
}): ReactNode {
  const settings = useSettings()
  if (preview === undefined) {
    return (
      <Section title="Preview">
        {isPending ? (
          <SkeletonLines count={6} />
        ) : (
          <p className="muted">
            Say where the source is, and show its first products before you connect it.
          </p>
        )}
      </Section>
    )
  }
  const { documents, refused, columns, rows_read: rows } = preview
  const shown = columns.filter(
    ({ column }) => column !== preview.id_column && !column.includes('.'),
  )
  return (
    <div className="stack-groups">
      <Section
        title={formatCount(documents.length, 'product')}
        about={`The first of them. Ids come from “${preview.id_column}”; fields were learned from ${formatCount(rows, 'row')}.`}
      >
        {refused.length > 0 && (
          <Note kind="warn">
            <p className="strong">{formatCount(refused.length, 'row')} refused</p>
            <ul className="sources-diff">
              {refused.slice(0, 5).map(({ row, error }) => (
                <li key={row}>
                  Row {formatNumber(row)}: <bdi>{error}</bdi>
                </li>
              ))}
            </ul>
          </Note>
        )}
        <ul className="stack gap-8">
          {documents.map(({ id = '', document }, i) => (
            <li key={`${id} ${i}`}>
              <ProductLine
                facts={productFacts(
                  id,
                  JSON.parse(document) as Record<string, unknown>,
                  settings.data?.product_card,
                )}
              />
            </li>
          ))}
        </ul>
      </Section>
      <Section
        title="Fields"
        about="The field of each column. An empty one leaves the column out."
        actions={
          <Button size="small" isPending={isPending} onPress={onRead}>
            Update preview
          </Button>
        }
      >
        {children}
        <div className="sources-mapping">
          {shown.map(({ column, field, type, is_new: isNew, examples }) => (
            <div key={column} className="sources-column">
              <TextField
                label={column}
                about={`${isNew && preview.schema_defined ? 'Not in the schema: left out' : (type ?? 'left out')}${examples[0] === undefined ? '' : ` · ${examples[0].slice(0, 60)}`}`}
                isMono
                value={mapping[column] ?? field}
                onChange={(next) => onMap({ ...mapping, [column]: next.trim() })}
              />
            </div>
          ))}
        </div>
      </Section>
    </div>
  )
}
