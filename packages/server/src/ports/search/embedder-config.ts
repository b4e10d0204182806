/** An embedder as the operator configured it. */
export type EmbedderConfig = EndpointConfig | FolderConfig | TableConfig

interface AnyEmbedderConfig {
  readonly name: string
  readonly dimensions: number
  /** Of the model: see `Embedder.fingerprint`. */
  readonly fingerprint: string
  /** Text before a query or a document, for models that were trained with it: "query: ". */
  readonly queryPrefix: string
  readonly documentPrefix: string
}

/** Any service with the interface of OpenAI: `POST {url}/embeddings`. */
export interface EndpointConfig extends AnyEmbedderConfig {
  readonly kind: 'endpoint'
  readonly url: string
  /** Absent where the address names it, as with Azure. */
  readonly model: string | undefined
  readonly apiKey: string | undefined
  /** Of Azure; the key is then sent in the header `api-key`. */
  readonly apiVersion: string | undefined
  /** The request asks for `dimensions`, which not every model can shorten its vectors to. */
  readonly requestsDimensions: boolean
  readonly timeoutMs: number
  readonly textsPerRequest: number
  /** Longer texts are cut. */
  readonly charsMax: number
}

/** A model on disk: ONNX, with a tokenizer of Hugging Face. */
export interface FolderConfig extends AnyEmbedderConfig {
  readonly kind: 'folder'
  readonly path: string
  /** The model, from the folder. */
  readonly file: string
  readonly pooling: Pooling
  /** Longer texts are cut. */
  readonly tokensMax: number
  /** Variables of the process of the model, no secrets: `NODE_PATH` may name where packages are. */
  readonly environment: Readonly<Record<string, string>>
}

/** How the vectors of tokens become one: their mean, or that of the first token. */
export type Pooling = 'mean' | 'cls'

/** Words with vectors, one per line. A text has the mean of its words. */
export interface TableConfig extends AnyEmbedderConfig {
  readonly kind: 'table'
  readonly path: string
  /** Words to read; the rest of the file is ignored. Tables begin with the most frequent words. */
  readonly wordsMax: number
}

/** The part that threads other than that of the embedders know: no keys. */
export type EmbedderInfo = Pick<EmbedderConfig, 'name' | 'fingerprint' | 'dimensions'>

export function infoOf({ name, fingerprint, dimensions }: EmbedderConfig): EmbedderInfo {
  return { name, fingerprint, dimensions }
}
