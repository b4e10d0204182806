import type { SchemaField, StoreSchema } from '@aisle/contract'
import type { ReactNode } from 'react'
import { productFacts, type ProductCardFields } from '../../parts/product-fields.ts'
import { ProductPicture, productPrice } from '../../parts/product-card.tsx'
import { textColumn } from '../../ui/columns.tsx'
import type { Column } from '../../ui/table-model.ts'
import type { DocumentRow } from './document-request.ts'
import { fieldValue } from '../../format/own-value.ts'

/** Columns beyond these are hidden until chosen. */
const COLUMNS_SHOWN = 7
const CELL_SHOWN_CHARS = 200

/** The product with its picture, its id, then the fields of the schema in their order. */
export function documentColumns(
  schema: StoreSchema,
  card: ProductCardFields | undefined,
): Column<DocumentRow>[] {
  const title = card?.title ?? schema.fields.find(({ searchable }) => searchable)?.name
  const inCard = new Set([title, card?.image, card?.url])
  // Descriptions, addresses and pictures are long, and not used to compare products.
  const isLong = ({ name, facet, sort }: SchemaField): boolean =>
    inCard.has(name) || !(facet || sort)
  const asked: readonly unknown[] = [card?.price, card?.brand, card?.category]
  const others = [
    ...asked.flatMap((name) => schema.fields.filter((field) => field.name === name)),
    ...schema.fields.filter((field) => !isLong(field) && !asked.includes(field.name)),
  ]
  const further = schema.fields.filter((field) => isLong(field) && field.name !== title)
  return [
    {
      id: title ?? '_title',
      header: title ?? 'Product',
      width: '34%',
      cell: ({ id, fields }) => <Product id={id} fields={fields} card={card} title={title} />,
      value: ({ id, fields }) => valueText(fields[title ?? '']) ?? id,
      isUnsorted: schema.fields.find(({ name }) => name === title)?.sort !== true,
    },
    textColumn('id', 'id', ({ id }) => id, {
      isMain: true,
      cell: ({ id }) => (
        <span className="mono documents-cell cut" title={id}>
          {id}
        </span>
      ),
      isUnsorted: true,
    }),
    ...[...others, ...further].map(({ name, type, sort }, i): Column<DocumentRow> => ({
      id: name,
      header: name,
      isNumber: /^(int|float)/.test(type) && !type.endsWith('[]'),
      isMain: name === card?.price,
      isHidden: i >= Math.min(COLUMNS_SHOWN, others.length),
      cell: ({ id, fields }) =>
        name === card?.price ? (
          (productPrice(productFacts(id, fields, card)) ?? <Value value={undefined} />)
        ) : (
          <Value value={fieldValue(fields, name)} />
        ),
      value: ({ fields }) => csvValue(fieldValue(fields, name)),
      isUnsorted: !sort,
    })),
  ]
}

function Product({
  id,
  fields,
  card,
  title,
}: DocumentRow & {
  readonly card: ProductCardFields | undefined
  readonly title: string | undefined
}): ReactNode {
  const facts = productFacts(id, fields, card)
  const text = valueText(fields[title ?? '']) ?? id
  return (
    <span className="documents-product">
      <ProductPicture facts={facts} size="small" />
      <span className="cut" title={text.slice(0, 1_000)}>
        {text.slice(0, CELL_SHOWN_CHARS)}
      </span>
    </span>
  )
}

function Value({ value }: { readonly value: unknown }): ReactNode {
  const text = valueText(value)
  if (text === undefined) return <span className="muted">–</span>
  const shown = text.slice(0, CELL_SHOWN_CHARS)
  return text.length > 20 ? (
    <span className="documents-cell cut" title={text.slice(0, 1_000)}>
      {shown}
    </span>
  ) : (
    shown
  )
}

function csvValue(value: unknown): string | number | undefined {
  return typeof value === 'number' ? value : valueText(value)
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number)
}

/** A value in one line; numbers as they are, so that a year has no comma. */
function valueText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(textOf).join(', ')
  return textOf(value)
}
