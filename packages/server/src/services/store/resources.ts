import { ApiError, type ErrorCode } from '@aisle/contract'
import { exactJson } from '../../domain/json/json-exact.ts'
import { checkResourceName } from '../../domain/store/resource-name.ts'
import type { Resource, ResourceKind } from '../../ports/catalog/resource-reader.ts'
import type { ServicePorts } from '../service-ports.ts'
import { requireMatch } from '../../domain/values/preconditions.ts'

/** A kind of resource that has names, and its error codes. */
export interface NamedKind {
  readonly kind: ResourceKind
  readonly noun: string
  readonly notFound: ErrorCode
  /** The name of this member in responses. */
  readonly key?: 'id'
}

export const SYNONYM_SET: NamedKind = {
  kind: 'synonymSet',
  noun: 'synonym set',
  notFound: 'synonym_set_not_found',
}
export const STOPWORD_SET: NamedKind = {
  kind: 'stopwordSet',
  noun: 'stopword set',
  notFound: 'stopword_set_not_found',
}
export const PRESET: NamedKind = { kind: 'preset', noun: 'preset', notFound: 'preset_not_found' }
export const QUERY_SET: NamedKind = {
  kind: 'querySet',
  noun: 'query set',
  notFound: 'query_set_not_found',
}
export const COLLECTION: NamedKind = {
  kind: 'collection',
  noun: 'collection',
  notFound: 'collection_not_found',
}
export const RULE: NamedKind = { kind: 'rule', noun: 'rule', notFound: 'rule_not_found', key: 'id' }
export const STRATEGY: NamedKind = {
  kind: 'strategy',
  noun: 'strategy',
  notFound: 'strategy_not_found',
}

/** @returns the JSON text `{"<key>":[…]}`, in the order of the names */
export function listResources(
  { resources }: Pick<ServicePorts, 'resources'>,
  storeId: string,
  named: NamedKind,
  key: string,
): string {
  const all = resources.of(storeId).list(named.kind)
  const texts = all.map((one) => resourceJson(named, one))
  return `{"${key}":[${texts.join(',')}]}`
}

/** @throws ApiError of the kind's `notFound` */
export function readResource(
  { resources }: Pick<ServicePorts, 'resources'>,
  storeId: string,
  named: NamedKind,
  name: string,
): string {
  const resource = resources.of(storeId).get(named.kind, name)
  if (resource === undefined) throw notFound(named, name)
  return resourceJson(named, resource)
}

/** Attempts to write what must not have changed, while others write. */
const ATTEMPTS_MAX = 10

/**
 * @param value a JSON object, already checked
 * @param ifMatch the header of that name; see `requireMatch`
 * @returns what is stored now
 * @throws ApiError precondition_failed
 */
export async function putResource(
  { writer, resources }: Pick<ServicePorts, 'writer' | 'resources'>,
  storeId: string,
  named: NamedKind,
  name: string,
  value: object,
  ifMatch?: string,
): Promise<string> {
  const resource = { kind: named.kind, name: checkResourceName(name), json: exactJson(value) }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const present = resources.of(storeId).get(named.kind, name)
    requireMatch(ifMatch, present && resourceJson(named, present))
    const still = ifMatch === undefined || present === undefined ? {} : { replaces: present.json }
    const puts = [{ ...resource, ...still }]
    if (await writer.changeResources(storeId, { puts, removes: [] })) {
      return resourceJson(named, resource)
    }
  }
  throw contested(named)
}

/**
 * @param ifMatch the header of that name; see `requireMatch`
 * @throws ApiError precondition_failed, or that of the kind's `notFound`
 */
export async function deleteResource(
  { writer, resources }: Pick<ServicePorts, 'writer' | 'resources'>,
  storeId: string,
  named: NamedKind,
  name: string,
  ifMatch?: string,
): Promise<{ readonly status: 'deleted' } & Readonly<Record<string, string>>> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const present = resources.of(storeId).get(named.kind, name)
    if (present === undefined) throw notFound(named, name)
    requireMatch(ifMatch, resourceJson(named, present))
    const still = ifMatch === undefined ? {} : { replaces: present.json }
    const removes = [{ kind: named.kind, name, ...still }]
    if (await writer.changeResources(storeId, { puts: [], removes })) {
      return { [named.key ?? 'name']: name, status: 'deleted' }
    }
  }
  throw contested(named)
}

/** The name, followed by the stored members. */
export function resourceJson(named: NamedKind, { name, json }: Resource): string {
  return `{"${named.key ?? 'name'}":${JSON.stringify(name)},${json.slice(1)}`
}

function contested({ noun }: NamedKind): ApiError {
  const message = `Other requests are changing this ${noun}: try again`
  return new ApiError('unavailable', message, { retryAfterSeconds: 1 })
}

function notFound({ noun, notFound: code }: NamedKind, name: string): ApiError {
  const shown =
    name.length <= NAME_SHOWN_MAX_CHARS ? name : `${name.slice(0, NAME_SHOWN_MAX_CHARS)}…`
  return new ApiError(code, `There is no ${noun} \`${shown.toWellFormed()}\``, { param: 'name' })
}

const NAME_SHOWN_MAX_CHARS = 150
