import type {
  AcceptSynonymRequest,
  BulkResponse,
  CancelledSchemaChange,
  ChangedSchema,
  ChangeSchemaRequest,
  ComparedSearches,
  CompareRequest,
  DecidedMissedSearch,
  DecidedSynonym,
  DocumentDeleted,
  DocumentEditJob,
  DocumentEditJobs,
  DocumentEditPreview,
  DocumentResponse,
  DocumentsCleared,
  DocumentsUpdated,
  DocumentWritten,
  DroppedEvents,
  EditDocumentsRequest,
  ErasedEvents,
  EventCheck,
  EventValidation,
  GivenSuggestionsConfig,
  IndexDocumentRequest,
  PublishedDraft,
  PublishRequest,
  JourneyParameters,
  RebuiltReports,
  ReportAnswer,
  ReportName,
  ReportParameters,
  VisitorJourney,
  SettingsHistory,
  StoreSchema,
  StoreSettings,
  StoreSuggestionsConfig,
  Mend,
  MendList,
  MendPreview,
  MendsParameters,
  MissedSearchEffect,
  SimilarityPairList,
  SimilarityPairParameters,
  MissedSearchList,
  MissedSearchParameters,
  FixMissedSearchRequest,
  SynonymPair,
  SynonymSet,
  SynonymSuggestionList,
  SynonymSuggestionParameters,
} from '@aisle/contract'
import { textQuery } from './text-query.ts'
import { parseExactly } from './exact-json.ts'
import { importDocuments } from './import-documents.ts'
import type { Documents, ImportOptions, ImportSummary } from './import-documents.ts'
import { chunksOf, linesOf } from './ndjson.ts'
import { pathSegment } from './path-segment.ts'
import { StoreRules } from './store-rules.ts'
import type { AnyDocument } from './store-search.ts'
import type {
  DocumentExport,
  NamedResource,
  ResourceKind,
  ResourceValue,
  Tagged,
  VisitorIds,
  Written,
} from './store-values.ts'

/** Members that the service adds to a resource and does not accept. */
const KEPT_BY_SERVICE: ReadonlySet<string> = new Set(['name', 'created_at', 'updated_at'])

/** The calls of one store: those for its pages, and those for its operators. */
export class StoreClient<Document = AnyDocument> extends StoreRules<Document> {
  schema(): Promise<StoreSchema> {
    return this.call('write', 'GET', '/schema')
  }

  taggedSchema(): Promise<Tagged<StoreSchema>> {
    return this.tagged('/schema')
  }

  /** @param ifMatch the `etag` of the schema to change; without it, the last write wins */
  changeSchema(request: ChangeSchemaRequest, ifMatch?: string): Promise<ChangedSchema> {
    return this.call('write', 'POST', '/schema', { body: request, ifMatch })
  }

  /** Ends a change of the schema that is not complete. */
  cancelSchemaChange(): Promise<CancelledSchemaChange> {
    return this.call('write', 'DELETE', '/schema/change')
  }

  /** Gets a stored document whose numbers keep every digit, as `JSON.rawJSON` objects. */
  taggedDocument(id: string): Promise<Tagged<DocumentResponse>> {
    return this.tagged(`/documents/${pathSegment(id)}`, parseExactly)
  }

  /** @param ifMatch the `etag` of the version to change; without it, the last write wins */
  index(document: IndexDocumentRequest, ifMatch?: string): Promise<Written<DocumentWritten>> {
    return this.written('POST', '/documents', { body: document, ifMatch })
  }

  /** @param ifMatch as for `index` */
  deleteDocument(id: string, ifMatch?: string): Promise<DocumentDeleted> {
    return this.call('write', 'DELETE', `/documents/${pathSegment(id)}`, { ifMatch })
  }

  /** @param lines entries as JSON text, sent unchanged, so that numbers keep every digit */
  bulk(lines: readonly string[], signal?: AbortSignal): Promise<BulkResponse> {
    const body = `${lines.join('\n')}\n`
    const contentType = 'application/x-ndjson'
    return this.call('write', 'POST', '/documents/bulk', { body, contentType, signal })
  }

  /**
   * Imports any number of documents in order, some hundred per request.
   *
   * @param documents objects, lines of JSON (sent unchanged), or an NDJSON stream
   * @returns counts of imported and refused documents; `onRefused` gets the refused ones
   * @throws as every call; documents sent before remain
   */
  importDocuments(documents: Documents, options: ImportOptions = {}): Promise<ImportSummary> {
    return importDocuments((lines) => this.bulk(lines, options.signal), documents, options)
  }

  /**
   * Exports all documents, or those that match a filter, as of one moment.
   *
   * @param order `inserted`: all, in an order that an import into an empty store keeps
   */
  async exportDocuments(
    filterBy?: string,
    signal?: AbortSignal,
    order?: 'written' | 'inserted',
  ): Promise<DocumentExport> {
    const query = { filter_by: filterBy, order }
    const call = this.request('write', 'GET', '/documents', { query, signal })
    const response = await this.transport.send(call)
    const docCount = Number(response.headers.get('x-documents') ?? 0)
    return { docCount, lines: linesOf(chunksOf(response.body!)) }
  }

  deleteDocuments(filterBy: string): Promise<DocumentsCleared> {
    return this.call('write', 'DELETE', '/documents', { query: { filter_by: filterBy } })
  }

  clearDocuments(): Promise<DocumentsCleared> {
    return this.call('write', 'DELETE', '/documents')
  }

  updateDocuments(filterBy: string, set: ResourceValue): Promise<DocumentsUpdated> {
    return this.call('write', 'PATCH', '/documents', {
      query: { filter_by: filterBy },
      body: { set },
    })
  }

  /** Shows what an edit would change, and what would be refused. */
  previewEdit(request: EditDocumentsRequest, signal?: AbortSignal): Promise<DocumentEditPreview> {
    return this.call('write', 'POST', '/edits/preview', { body: request, signal })
  }

  /** Begins an edit of all documents that match; `edit` has its progress. */
  editDocuments(request: EditDocumentsRequest): Promise<DocumentEditJob> {
    return this.call('write', 'POST', '/edits', { body: request })
  }

  edits(): Promise<DocumentEditJobs> {
    return this.call('write', 'GET', '/edits')
  }

  edit(id: string): Promise<DocumentEditJob> {
    return this.call('write', 'GET', `/edits/${pathSegment(id)}`)
  }

  cancelEdit(id: string): Promise<DocumentEditJob> {
    return this.call('write', 'POST', `/edits/${pathSegment(id)}/cancel`)
  }

  /** Begins to write back what an edit has changed, except documents that were changed since. */
  undoEdit(id: string): Promise<DocumentEditJob> {
    return this.call('write', 'POST', `/edits/${pathSegment(id)}/undo`)
  }

  /** Validates an event of the simple form without storing it. */
  validateEvent(event: unknown): Promise<EventValidation> {
    return this.transport.json({
      method: 'POST',
      path: '/analytics/validate',
      secret: 'read',
      storeId: this.storeId,
      body: event,
    })
  }

  /** Shows how the ingest would treat events of any form, without storing them. */
  checkEvents(body: unknown): Promise<EventCheck> {
    return this.call('write', 'POST', '/analytics/events/check', { body })
  }

  suggestionsConfig(): Promise<StoreSuggestionsConfig> {
    return this.call('write', 'GET', '/suggestions/config')
  }

  taggedSuggestionsConfig(): Promise<Tagged<StoreSuggestionsConfig>> {
    return this.tagged('/suggestions/config')
  }

  /**
   * Replaces the configuration: absent members get their defaults.
   *
   * @param ifMatch the `etag` of the version to replace; without it, the last write wins
   */
  putSuggestionsConfig(
    config: GivenSuggestionsConfig,
    ifMatch?: string,
  ): Promise<Written<StoreSuggestionsConfig>> {
    return this.written('PUT', '/suggestions/config', { body: config, ifMatch })
  }

  async resources(kind: ResourceKind): Promise<NamedResource[]> {
    const answer = await this.call<Record<string, unknown>>('write', 'GET', `/${kind}`)
    const list = (answer[kind.replace('-', '_')] ?? []) as Record<string, unknown>[]
    return list.map((one) => namedResource(kind, one))
  }

  async resource(kind: ResourceKind, name: string): Promise<NamedResource> {
    return namedResource(kind, await this.call('write', 'GET', this.#resourcePath(kind, name)))
  }

  async taggedResource(kind: ResourceKind, name: string): Promise<Tagged<ResourceValue>> {
    const path = this.#resourcePath(kind, name)
    const { value, etag } = await this.tagged<Record<string, unknown>>(path)
    return { value: namedResource(kind, value).value, etag }
  }

  /**
   * @param ifMatch the `etag` of the version to replace; without it, the last write wins
   * @returns the `etag` of the version that is stored now
   */
  async putResource(
    kind: ResourceKind,
    name: string,
    value: ResourceValue,
    ifMatch?: string,
  ): Promise<string> {
    const path = this.#resourcePath(kind, name)
    const { etag } = await this.written<object>('PUT', path, { body: value, ifMatch })
    return etag
  }

  /** @param ifMatch as for `putResource` */
  async deleteResource(kind: ResourceKind, name: string, ifMatch?: string): Promise<void> {
    await this.call('write', 'DELETE', this.#resourcePath(kind, name), { ifMatch })
  }

  settings(): Promise<StoreSettings> {
    return this.call('write', 'GET', '/settings')
  }

  taggedSettings(): Promise<Tagged<StoreSettings>> {
    return this.tagged('/settings')
  }

  /** @param ifMatch the `etag` of the settings to change; without it, the last write wins */
  changeSettings(settings: ResourceValue, ifMatch?: string): Promise<Written<StoreSettings>> {
    return this.written('PATCH', '/settings', { body: settings, ifMatch })
  }

  /**
   * The versions of the settings, newest first: content, author, and what was published with each.
   */
  settingsHistory(): Promise<SettingsHistory> {
    return this.call('write', 'GET', '/settings/history')
  }

  /**
   * Restores an earlier version as the newest one.
   *
   * @param ifMatch as for `changeSettings`
   */
  rollbackSettings(version: number, ifMatch?: string): Promise<Written<StoreSettings>> {
    return this.written('POST', '/settings/rollback', { body: { version }, ifMatch })
  }

  /** Compares searches with and without a draft. */
  compareDraft(request: CompareRequest): Promise<ComparedSearches> {
    return this.call('write', 'POST', '/relevance/compare', { body: request })
  }

  /**
   * Publishes a draft: settings, sets, rules and presets together.
   *
   * @param ifMatch the `etag` of the settings that it changes
   * @returns with the `etag` of the settings
   */
  publishDraft(request: PublishRequest, ifMatch?: string): Promise<Written<PublishedDraft>> {
    return this.written('POST', '/relevance/publish', { body: request, ifMatch })
  }

  /** Synonyms suggested by traffic, with their evidence. */
  synonymSuggestions(parameters: SynonymSuggestionParameters = {}): Promise<SynonymSuggestionList> {
    return this.call('write', 'GET', '/synonym-suggestions', { query: textQuery(parameters) })
  }

  /** Adds a suggestion to a synonym set. @returns the set */
  acceptSynonym(request: AcceptSynonymRequest): Promise<SynonymSet> {
    return this.call('write', 'POST', '/synonym-suggestions/accept', { body: request })
  }

  /** Rejects a pair, so that it is not suggested again. */
  rejectSynonym(pair: SynonymPair): Promise<DecidedSynonym> {
    return this.call('write', 'POST', '/synonym-suggestions/reject', { body: pair })
  }

  /** Undoes a rejection. */
  restoreSynonym(pair: SynonymPair): Promise<DecidedSynonym> {
    return this.call('write', 'POST', '/synonym-suggestions/restore', { body: pair })
  }

  /** Searches that lose visitors. */
  missedSearches(parameters: MissedSearchParameters = {}): Promise<MissedSearchList> {
    return this.call('write', 'GET', '/missed-searches', { query: textQuery(parameters) })
  }

  /** Pairs of queries and products for a person who decides which are right. */
  similarityPairs(parameters: SimilarityPairParameters = {}): Promise<SimilarityPairList> {
    return this.call('write', 'GET', '/semantic/pairs', { query: textQuery(parameters) })
  }

  /** What would mend one of them, each with what a search would find. Saves nothing. */
  mends(query: string, parameters: Omit<MendsParameters, 'query'> = {}): Promise<MendList> {
    const given = textQuery({ query, ...parameters })
    return this.call('write', 'GET', '/missed-searches/mends', { query: given })
  }

  /** Searches with a fix that is not saved. */
  previewMend(query: string, mend: Mend): Promise<MendPreview> {
    return this.call('write', 'POST', '/missed-searches/preview', { body: { query, mend } })
  }

  /**
   * Fixes a missed search by the change of a mend, dismisses it, or reopens it, which undoes both.
   *
   * @param ifMatch its `etag`: if somebody else has decided since, 412 `precondition_failed`
   */
  decideMissedSearch(
    decision: 'fix' | 'dismiss' | 'reopen',
    request: FixMissedSearchRequest,
    ifMatch?: string,
  ): Promise<DecidedMissedSearch> {
    const path = `/missed-searches/${decision}`
    return this.call('write', 'POST', path, { body: request, ifMatch })
  }

  /** Click-through before a fix and after it. */
  missedSearchEffect(query: string): Promise<MissedSearchEffect> {
    return this.call('write', 'GET', '/missed-searches/effect', { query: { query } })
  }

  /** Reports on visitor events. */
  report<Name extends ReportName>(
    name: Name,
    parameters: Omit<ReportParameters, 'format'> = {},
  ): Promise<ReportAnswer<Name>> {
    return this.call('write', 'GET', `/analytics/${pathSegment(name)}`, {
      query: textQuery(parameters),
    })
  }

  /** The rows of a report as CSV. */
  async reportCsv(
    name: ReportName,
    parameters: Omit<ReportParameters, 'format'> = {},
  ): Promise<string> {
    const query = { ...textQuery(parameters), format: 'csv' }
    const request = this.request('write', 'GET', `/analytics/${pathSegment(name)}`, {
      query,
    })
    return (await this.transport.send(request)).text()
  }

  /** Rebuilds the reports from the event log. */
  rebuildReports(): Promise<RebuiltReports> {
    return this.call('write', 'POST', '/analytics/rebuild')
  }

  /** Permanently erases the events of a visitor. */
  eraseVisitor(visitor: VisitorIds): Promise<ErasedEvents> {
    return this.call('write', 'DELETE', '/analytics/visitors', { query: visitorQuery(visitor) })
  }

  /**
   * The events of a visitor, newest first; pass `next` of a page as `after` for the following page.
   */
  journey(
    visitor: VisitorIds,
    page: Pick<JourneyParameters, 'from' | 'to' | 'limit' | 'after'> = {},
  ): Promise<VisitorJourney> {
    return this.call('write', 'GET', '/analytics/visitors', {
      query: { ...visitorQuery(visitor), ...page, limit: page.limit?.toString() },
    })
  }

  /** Yields its pages, from the newest event to the oldest. */
  async *journeyPages(
    visitor: VisitorIds,
    page: Pick<JourneyParameters, 'from' | 'to' | 'limit' | 'after'> = {},
  ): AsyncGenerator<VisitorJourney, void, undefined> {
    for (let after = page.after; ;) {
      const journey = await this.journey(visitor, { ...page, ...(after ? { after } : {}) })
      yield journey
      after = journey.next
      if (after === undefined) return
    }
  }

  /** Deletes the events that arrived before a time. */
  dropEvents(before: string): Promise<DroppedEvents> {
    return this.call('write', 'DELETE', '/analytics/events', { query: { before } })
  }

  #resourcePath(kind: ResourceKind, name: string): string {
    return `/${kind}/${pathSegment(name)}`
  }
}

/** Rules are identified by id, all other resources by name. */
function namedResource(kind: ResourceKind, answer: Record<string, unknown>): NamedResource {
  const name = kind === 'rules' ? (answer['rule_id'] ?? answer['id']) : answer['name']
  const value = Object.entries(answer).filter(
    ([key]) =>
      !KEPT_BY_SERVICE.has(key) && !(kind === 'rules' && (key === 'id' || key === 'rule_id')),
  )
  return { name: String(name), value: Object.fromEntries(value) }
}

function visitorQuery({ userId, anonymousId, sessionId }: VisitorIds) {
  return { user_id: userId, anonymous_id: anonymousId, session_id: sessionId }
}
