import type { StoreSchema } from '@aisle/contract'
import type { ReactNode } from 'react'
import { ProductPicture } from '../../parts/product-card.tsx'
import { productFacts, type ProductCardFields } from '../../parts/product-fields.ts'
import { FieldInput } from './field-input.tsx'
import { formFields, isPlainObject, valueAt, withValue } from './product-values.ts'
import type { FormField, Product } from './product-values.ts'

/** A product as a form: its picture, and an input for each field of the schema. */
export function ProductForm({
  id,
  schema,
  card,
  product,
  errors,
  isDisabled,
  onChange,
}: {
  readonly id: string
  readonly schema: StoreSchema
  readonly card: ProductCardFields | undefined
  readonly product: Product
  /** From the service, by the name of the field. */
  readonly errors: ReadonlyMap<string, string>
  readonly isDisabled: boolean
  readonly onChange: (product: Product) => void
}): ReactNode {
  const first = [card?.title, card?.image, card?.price, card?.brand, card?.category]
  const fields = formFields(schema.fields, first)
  const facts = productFacts(id, plainNumbers(product), card)
  const shared = { product, errors, isDisabled, onChange }
  return (
    <div className="product-form">
      <div className="product-form-head">
        <ProductPicture key={facts.image ?? ''} facts={facts} />
        <div className="stack gap-4">
          <span className="product-form-title">{facts.title}</span>
          {id !== '' && <code className="small muted cut">{id}</code>}
          <span className="small muted">
            Fields that you leave empty are not part of the product.
          </span>
        </div>
      </div>
      <FieldRows fields={fields} {...shared} />
    </div>
  )
}

interface RowsProps {
  readonly fields: readonly FormField[]
  readonly product: Product
  readonly errors: ReadonlyMap<string, string>
  readonly isDisabled: boolean
  readonly onChange: (product: Product) => void
}

function FieldRows({ fields, ...shared }: RowsProps): ReactNode {
  const { product, errors, isDisabled, onChange } = shared
  return fields.map(({ field, path, inside }) => {
    const { name, type, facet } = field
    const value = valueAt(product, path)
    // A value of another kind is shown as it is, or it could not be mended.
    if (type === 'object' && inside.length > 0 && (value === undefined || isPlainObject(value))) {
      return (
        <fieldset key={name} className="product-object">
          <legend className="field-label">{path.at(-1)}</legend>
          <FieldRows fields={inside} {...shared} />
        </fieldset>
      )
    }
    return (
      <FieldInput
        key={name}
        label={path.at(-1) ?? name}
        name={name}
        type={type}
        isFacet={facet}
        value={value ?? undefined}
        onChange={(next) => onChange(withValue(product, path, next))}
        error={errors.get(name)}
        isDisabled={isDisabled}
      />
    )
  })
}

/** A card shows numbers, not digits. */
function plainNumbers(product: Product): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(product)) as Readonly<Record<string, unknown>>
}
