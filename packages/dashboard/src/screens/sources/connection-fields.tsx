import { useState, type ReactNode } from 'react'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { innerOf, textOf, withMember, type Kind, type Members } from './connection-kinds.ts'

const FORMATS = [
  { value: '', label: 'By the URL' },
  { value: 'xml', label: 'XML (Google Merchant, Meta)' },
  { value: 'csv', label: 'CSV' },
  { value: 'tsv', label: 'TSV' },
  { value: 'json', label: 'JSON' },
  { value: 'ndjson', label: 'NDJSON' },
] as const
const TLS = [
  { value: '', label: 'Check the certificate' },
  { value: 'require', label: 'Encrypt only' },
  { value: 'off', label: 'Off: everything is readable' },
] as const
const ROWS = [
  { value: 'table', label: 'A table or view' },
  { value: 'query', label: 'A query' },
] as const
const NOT_FOLLOWED = { value: '', label: 'With scheduled runs only' } as const
const UPDATED_AT = { value: 'updated_at', label: 'A column with the time of the change' } as const
const REPLICATION = { value: 'replication', label: 'Logical replication' } as const
const PAGES = [
  { value: '', label: 'There is one page' },
  { value: 'page', label: 'By number' },
  { value: 'offset', label: 'By offset' },
  { value: 'cursor', label: 'By cursor' },
  { value: 'next', label: 'By a URL in the answer' },
  { value: 'link', label: 'By the header Link' },
] as const

interface Props {
  readonly members: Members
  readonly onChange: (members: Members) => void
  readonly isDisabled: boolean
}

/** The fields of a connection; errors of the service are shown at the field that they are about. */
export function ConnectionFields({ kind, ...props }: Props & { readonly kind: Kind }): ReactNode {
  switch (kind) {
    case 'feed':
      return <FeedFields {...props} />
    case 'postgres':
      return <DatabaseFields {...props} port="5432" replicates />
    case 'mysql':
      return <DatabaseFields {...props} port="3306" replicates={false} />
    case 'shopify':
    case 'woocommerce':
      return <ShopFields {...props} isShopify={kind === 'shopify'} />
    case 'json_api':
      return <ApiFields {...props} />
    case 'sitemap':
      return (
        <>
          <Member
            {...props}
            name="url"
            label="URL"
            placeholder="https://shop.example/sitemap.xml"
          />
          <Member
            {...props}
            name="path_prefix"
            label="Paths begin with"
            about="Only these pages are products. Empty: all pages."
            placeholder="/products/"
          />
        </>
      )
  }
}

function FeedFields(props: Props): ReactNode {
  const { members, onChange, isDisabled } = props
  return (
    <>
      <Member
        {...props}
        name="url"
        label="URL"
        about="A product feed for Google or Meta, or a file of products."
        placeholder="https://shop.example/feed.xml"
      />
      <Select
        label="Format"
        options={FORMATS}
        value={textOf(members, 'format') as (typeof FORMATS)[number]['value']}
        onChange={(format) => onChange(withMember(members, 'format', format))}
        isDisabled={isDisabled}
      />
      <Member {...props} name="username" label="User name" about="If the URL asks for one." />
    </>
  )
}

function DatabaseFields({
  port,
  replicates,
  ...props
}: Props & { readonly port: string; readonly replicates: boolean }): ReactNode {
  const { members, onChange, isDisabled } = props
  const [rows, setRows] = useState<'table' | 'query'>(
    members['query'] === undefined ? 'table' : 'query',
  )
  const follow = innerOf(members, 'follow')
  const by = textOf(follow, 'by')
  const setFollow = (next: Members): void => onChange(withMember(members, 'follow', next))
  const followProps = { members: follow, onChange: setFollow, isDisabled, within: 'follow.' }
  const isReplicated = by === 'replication'
  return (
    <>
      <div className="sources-pair">
        <Member {...props} name="host" label="Host" placeholder="db.shop.example" />
        <Member {...props} name="port" label="Port" isNumber placeholder={port} />
      </div>
      <div className="sources-pair">
        <Member {...props} name="database" label="Database" placeholder="shop" />
        <Member {...props} name="user" label="User" placeholder="aisle" />
      </div>
      <Select
        label="TLS"
        options={TLS}
        value={textOf(members, 'tls').replace('verify', '') as (typeof TLS)[number]['value']}
        onChange={(tls) => onChange(withMember(members, 'tls', tls))}
        isDisabled={isDisabled}
      />
      {textOf(members, 'tls').replace('verify', '') === '' && (
        <Member
          {...props}
          name="certificate_authority"
          label="Certificate authority"
          about="Certificates in PEM form, if a public authority did not sign that of the server."
          lines={2}
        />
      )}
      <Select
        label="Products come from"
        options={ROWS}
        value={rows}
        onChange={(next) => {
          setRows(next)
          // Replication follows a table, whose rows may be the products of a query.
          if (!isReplicated || next === 'table') {
            onChange(withMember(members, next === 'table' ? 'query' : 'table', undefined))
          }
        }}
        isDisabled={isDisabled}
      />
      {rows === 'query' && (
        <Member
          {...props}
          name="query"
          label="Query"
          about="One SELECT with a row for each product."
          placeholder="SELECT id, title, price FROM products"
          lines={5}
        />
      )}
      {(rows === 'table' || isReplicated) && (
        <Member
          {...props}
          name="table"
          label="Table"
          about={rows === 'table' ? undefined : 'Whose changes are followed.'}
          placeholder="products"
        />
      )}
      <Select
        label="Changes are found by"
        options={[NOT_FOLLOWED, ...(replicates ? [REPLICATION] : []), UPDATED_AT]}
        value={by as '' | 'replication' | 'updated_at'}
        onChange={(next) =>
          onChange(withMember(members, 'follow', next === '' ? undefined : { by: next }))
        }
        isDisabled={isDisabled}
      />
      {isReplicated && (
        <Member
          {...followProps}
          name="publication"
          label="Publication"
          about="One that has the table. Empty: the source creates one, which its user must be allowed to do."
          placeholder="aisle_products"
        />
      )}
      {by === 'updated_at' && (
        <>
          <Member
            {...followProps}
            name="column"
            label="Column"
            about="Every change of a row sets it to the current time. It needs an index."
            placeholder="updated_at"
          />
          <Member
            {...followProps}
            name="tombstones"
            label="Query of deleted rows"
            about="With the columns id and deleted_at. Without it, runs find deletions."
            placeholder="SELECT product_id AS id, deleted_at FROM deleted_products"
            lines={3}
          />
        </>
      )}
    </>
  )
}

function ShopFields({ isShopify, ...props }: Props & { readonly isShopify: boolean }): ReactNode {
  const { members, onChange, isDisabled } = props
  return (
    <>
      <Member
        {...props}
        name="url"
        label={isShopify ? 'Shop URL' : 'Site URL'}
        about={isShopify ? undefined : 'Address of the WordPress site.'}
        placeholder={isShopify ? 'https://example.myshopify.com' : 'https://shop.example'}
      />
      {isShopify && (
        <Member
          {...props}
          name="client_id"
          label="Client ID"
          about="Of an app of the Dev Dashboard. Empty: the shop is read with an access token."
        />
      )}
      <Checkbox
        isSelected={members['include_hidden'] === true}
        onChange={(isIncluded) => onChange(withMember(members, 'include_hidden', isIncluded))}
        isDisabled={isDisabled}
      >
        Also read products that visitors of the shop do not find, such as drafts
      </Checkbox>
    </>
  )
}

function ApiFields(props: Props): ReactNode {
  const { members, onChange, isDisabled } = props
  const pages = innerOf(members, 'pages')
  const by = textOf(pages, 'by')
  const setPages = (next: Members): void => onChange(withMember(members, 'pages', next))
  const pageProps = { members: pages, onChange: setPages, isDisabled, within: 'pages.' }
  return (
    <>
      <Member
        {...props}
        name="url"
        label="URL"
        about="The first page, with its query parameters."
        placeholder="https://shop.example/api/products?limit=100"
      />
      <Member
        {...props}
        name="items"
        label="Path of the list"
        about="Where an answer has its products. Empty: it is the list."
        placeholder="data.products"
      />
      <Member
        {...props}
        name="header"
        label="Header of the token"
        about="Empty: Authorization, with Bearer before the token."
        placeholder="X-Api-Key"
      />
      <Select
        label="Next page"
        options={PAGES}
        value={by as (typeof PAGES)[number]['value']}
        onChange={(next) =>
          onChange(withMember(members, 'pages', next === '' ? undefined : { by: next }))
        }
        isDisabled={isDisabled}
      />
      {['page', 'offset', 'cursor'].includes(by) && (
        <Member {...pageProps} name="parameter" label="Query parameter" placeholder={by} />
      )}
      {['cursor', 'next'].includes(by) && (
        <Member
          {...pageProps}
          name="path"
          label={by === 'cursor' ? 'Path of the cursor' : 'Path of the URL'}
          about="Where an answer has it."
          placeholder="paging.next"
        />
      )}
    </>
  )
}

/** A member that is a text or a number. */
function Member({
  members,
  onChange,
  isDisabled,
  name,
  within = '',
  isNumber = false,
  about,
  ...texts
}: Props & {
  readonly name: string
  readonly label: string
  readonly about?: string | undefined
  readonly placeholder?: string
  readonly lines?: number
  /** The object that it is in, with a dot. */
  readonly within?: string
  readonly isNumber?: boolean
}): ReactNode {
  const read = (text: string): unknown => {
    // Spaces belong to a query while it is typed.
    if (texts.lines !== undefined) return text
    const trimmed = text.trim()
    return isNumber && /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : trimmed
  }
  return (
    <TextField
      {...texts}
      about={about}
      name={`connection.${within}${name}`}
      isMono
      autoComplete="off"
      value={textOf(members, name)}
      onChange={(text) => onChange(withMember(members, name, read(text)))}
      isDisabled={isDisabled}
    />
  )
}
