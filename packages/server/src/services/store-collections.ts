import type { PutCollectionRequest } from '@aisle/contract'
import {
  collectionsOf,
  NO_COLLECTIONS,
  type Collections,
} from '../domain/expressions/collections.ts'
import { resourceMemo } from '../domain/store/resource-memo.ts'
import type { Resource, StoreResources } from '../ports/catalog/resource-reader.ts'

/** The collections of a store: the same object until one of them changes. */
export function storeCollections(resources: StoreResources): Collections {
  const list = resources.list('collection')
  if (list.length === 0) return NO_COLLECTIONS
  let collections = ofList.get(list)
  if (collections === undefined) {
    collections = collectionsOf(new Map(list.map((one) => [one.name, filterOf(one)])))
    ofList.set(list, collections)
  }
  return collections
}

/** A list stays the same array until one of the collections changes. */
const ofList = new WeakMap<readonly Resource[], Collections>()

const filterOf = resourceMemo(({ json }) => (JSON.parse(json) as PutCollectionRequest).filter_by)
