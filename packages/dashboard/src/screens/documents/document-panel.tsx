import { RefusedError } from '@aisle/client'
import type { StoreSchema } from '@aisle/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useStore } from '../../session/store.ts'
import { SidePanel, type SidePanelProps } from '../../ui/side-panel.tsx'
import { ErrorState, Note, SkeletonLines } from '../../ui/states.tsx'
import { ProductEditor } from './product-editor.tsx'
import { savedProductQuery } from './saved-product.ts'

/** In the address: a product that does not exist yet. */
export const NEW_DOCUMENT = '+new'

interface DocumentPanelProps extends Pick<SidePanelProps, 'onPrevious' | 'onNext'> {
  /** Id of the product, `NEW_DOCUMENT`, or empty: closed. */
  readonly openId: string
  readonly schema: StoreSchema
  readonly onOpen: (id: string | undefined) => void
}

/** One product, to be read, changed, added or deleted. */
export function DocumentPanel(props: DocumentPanelProps): ReactNode {
  const { openId, onOpen, onPrevious, onNext, schema } = props
  const isNew = openId === NEW_DOCUMENT
  return (
    <SidePanel
      title={isNew ? 'Add product' : openId}
      isOpen={openId !== ''}
      onClose={() => onOpen(undefined)}
      onPrevious={isNew ? undefined : onPrevious}
      onNext={isNew ? undefined : onNext}
    >
      {isNew ? (
        <ProductEditor
          key={openId}
          schema={schema}
          onOpen={onOpen}
          draftName={NEW_DOCUMENT}
          id={undefined}
          saved={undefined}
        />
      ) : (
        openId !== '' && <Existing key={openId} {...props} />
      )}
    </SidePanel>
  )
}

function Existing({ openId, schema, onOpen }: DocumentPanelProps): ReactNode {
  const { storeId, calls } = useStore()
  const { data, error, refetch } = useQuery(savedProductQuery(storeId, calls, openId))
  if (data !== undefined) {
    const shared = { schema, onOpen, id: openId, draftName: openId }
    return <ProductEditor {...shared} saved={data} />
  }
  if (error instanceof RefusedError && error.status === 404) {
    return <Note>No product has this id. It may have been deleted.</Note>
  }
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return <SkeletonLines count={8} />
}
