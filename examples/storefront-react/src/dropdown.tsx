import { TAB_LABELS, type DropdownContent, type DropdownOption } from './dropdown-content.ts'
import { count, price } from './format.ts'
import { Icon } from './icons.tsx'

interface DropdownProps {
  readonly content: DropdownContent
  readonly options: readonly DropdownOption[]
  /** Index of the option that Enter selects; -1: the typed text. */
  readonly active: number
  readonly tab: number
  /** Prefix of the ids of the options. */
  readonly list: string
  setTab(tab: number): void
  choose(option: DropdownOption): void
}

/** Suggestions and categories on the left, products on the right. */
export function Dropdown(props: DropdownProps) {
  const { content, options, list, tab, setTab } = props
  const numbered = options.map((option, i) => ({ option, i }))
  const words = numbered.filter(({ option }) => option.kind !== 'product')
  const products = numbered.filter(({ option }) => option.kind === 'product')
  return (
    <>
      <div className="tabs" role="group" aria-label="Products to show">
        {TAB_LABELS.map((label, i) => (
          <button
            type="button"
            key={label}
            aria-pressed={i === tab}
            onClick={() => setTab(i)}
            tabIndex={-1}
          >
            {label}
          </button>
        ))}
      </div>
      <div className="options" role="listbox" id={list} aria-label="Suggestions">
        <div className="options-words" role="group" aria-label="Searches and categories">
          {words.map(({ option, i }) => (
            <Option {...props} option={option} i={i} key={i}>
              {option.kind === 'query' && (
                <>
                  <Icon name={option.isRecent ? 'clock' : 'search'} />
                  <span>
                    <Completed text={option.text} typed={content.q} />
                  </span>
                </>
              )}
              {option.kind === 'category' && (
                <>
                  <Icon name="grid" />
                  <span>in {option.text}</span>
                  <span className="facet-count">{count(option.count)}</span>
                </>
              )}
            </Option>
          ))}
        </div>
        <div className="options-products" role="group" aria-label="Products">
          {products.map(({ option, i }) => (
            <Option {...props} option={option} i={i} key={i}>
              {option.kind === 'product' && (
                <>
                  {option.image === null ? (
                    <span className="picture picture-none">{option.title.slice(0, 1)}</span>
                  ) : (
                    <img className="picture" src={option.image} alt="" width={44} height={44} />
                  )}
                  <span className="option-title">{option.title}</span>
                  {option.price !== undefined && (
                    <span className="price">{price(option.price)}</span>
                  )}
                </>
              )}
            </Option>
          ))}
          {products.length === 0 && <p className="options-none">No products in this tab</p>}
        </div>
      </div>
    </>
  )
}

interface OptionProps extends Pick<DropdownProps, 'active' | 'list' | 'choose'> {
  readonly option: DropdownOption
  readonly i: number
  readonly children: React.ReactNode
}

/** Selected by mouse, touch, or Enter in the field, which keeps the focus. */
function Option({ option, i, active, list, choose, children }: OptionProps) {
  return (
    <div
      className="option"
      role="option"
      tabIndex={-1}
      id={`${list}-${i}`}
      aria-selected={i === active}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => choose(option)}
    >
      {children}
    </div>
  )
}

/** The typed part is light, the added part is bold. */
function Completed({ text, typed }: { readonly text: string; readonly typed: string }) {
  const begun = typed.trim().toLowerCase()
  if (begun === '' || !text.toLowerCase().startsWith(begun)) return text
  return (
    <>
      {text.slice(0, begun.length)}
      <b>{text.slice(begun.length)}</b>
    </>
  )
}
