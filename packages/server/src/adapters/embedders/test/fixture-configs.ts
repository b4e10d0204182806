import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type {
  EndpointConfig,
  FolderConfig,
  TableConfig,
} from '../../../ports/search/embedder-config.ts'
import { FIXTURE_DIMENSIONS, FIXTURE_WORDS } from './fixture-words.ts'

const COMMON = {
  dimensions: FIXTURE_DIMENSIONS,
  fingerprint: 'fixture',
  queryPrefix: '',
  documentPrefix: '',
}

export function endpointConfig(url: string, more: Partial<EndpointConfig> = {}): EndpointConfig {
  return {
    ...COMMON,
    kind: 'endpoint',
    name: 'endpoint',
    url,
    model: 'fixture',
    apiKey: undefined,
    apiVersion: undefined,
    requestsDimensions: false,
    timeoutMs: 30_000,
    textsPerRequest: 32,
    charsMax: 8_000,
    ...more,
  }
}

export function folderConfig(path: string, more: Partial<FolderConfig> = {}): FolderConfig {
  const { PATH = '', NODE_PATH = '' } = process.env
  return {
    ...COMMON,
    kind: 'folder',
    name: 'folder',
    path,
    file: 'model.onnx',
    pooling: 'mean',
    tokensMax: 64,
    environment: { PATH, NODE_PATH },
    ...more,
  }
}

/** Why tests of model folders are skipped; false if they run. */
export function withoutOnnx(): string | false {
  try {
    createRequire(import.meta.url).resolve('onnxruntime-node')
    return false
  } catch {
    return 'onnxruntime-node is not installed: NODE_PATH=FOLDER/node_modules runs them'
  }
}

/** @param folder where its file is written */
export function tableConfig(folder: string, more: Partial<TableConfig> = {}): TableConfig {
  const path = join(folder, 'words.txt')
  const lines = Object.entries(FIXTURE_WORDS).map(([word, vector]) => [word, ...vector].join(' '))
  writeFileSync(path, `${lines.join('\n')}\n`)
  return { ...COMMON, kind: 'table', name: 'table', path, wordsMax: 1_000, ...more }
}
