import type {
  DeletedSource,
  PreviewSourceRequest,
  PutSourceRequest,
  RunSourceRequest,
  Source,
  SourceList,
  SourcePreview,
  SourceRun,
  SourceRunDetail,
  SourceRuns,
} from '@aisle/contract'
import { pathSegment } from './path-segment.ts'
import { StoreCalls } from './store-calls.ts'
import type { AnyDocument } from './store-search.ts'

/** The sources of a store: where the service reads documents from. */
export class StoreSources<Document = AnyDocument> extends StoreCalls<Document> {
  sources(): Promise<SourceList> {
    return this.call('write', 'GET', '/sources')
  }

  source(name: string): Promise<Source> {
    return this.call('write', 'GET', `/sources/${pathSegment(name)}`)
  }

  /** Creates or replaces a source. */
  putSource(name: string, source: PutSourceRequest): Promise<Source> {
    return this.call('write', 'PUT', `/sources/${pathSegment(name)}`, { body: source })
  }

  /** Deletes a source; the documents that it has written stay. */
  deleteSource(name: string): Promise<DeletedSource> {
    return this.call('write', 'DELETE', `/sources/${pathSegment(name)}`)
  }

  /** Stops the schedule of a source. */
  pauseSource(name: string): Promise<Source> {
    return this.call('write', 'POST', `/sources/${pathSegment(name)}/pause`)
  }

  resumeSource(name: string): Promise<Source> {
    return this.call('write', 'POST', `/sources/${pathSegment(name)}/resume`)
  }

  /** Reads the first rows of a source that need not be stored. */
  previewSource(request: PreviewSourceRequest, signal?: AbortSignal): Promise<SourcePreview> {
    return this.call('write', 'POST', '/sources/preview', { body: request, signal })
  }

  /** Begins a run; `sourceRun` has its progress. */
  runSource(name: string, request: RunSourceRequest = {}): Promise<SourceRun> {
    return this.call('write', 'POST', `/sources/${pathSegment(name)}/runs`, { body: request })
  }

  /** The newest first. */
  sourceRuns(name: string): Promise<SourceRuns> {
    return this.call('write', 'GET', `/sources/${pathSegment(name)}/runs`)
  }

  /** A run, with what it changed. */
  sourceRun(name: string, id: string): Promise<SourceRunDetail> {
    return this.call('write', 'GET', `/sources/${pathSegment(name)}/runs/${pathSegment(id)}`)
  }

  cancelSourceRun(name: string, id: string): Promise<SourceRun> {
    const path = `/sources/${pathSegment(name)}/runs/${pathSegment(id)}/cancel`
    return this.call('write', 'POST', path)
  }
}
