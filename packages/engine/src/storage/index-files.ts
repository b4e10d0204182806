import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CorruptDataError, SectionReader, SectionWriter } from '../codec/section-file.ts'
import type { DictionaryHandles, PackedStrings } from '../dictionary/shared-dictionary.ts'
import { DictionaryWriter, packedBytes, packStrings } from '../dictionary/shared-dictionary.ts'
import { type TermHandles, packTerms, TermWriter } from '../dictionary/term-store.ts'
import type { Schema } from '../schema/schema.ts'
import type { DocumentCounts } from '../segment/snapshot.ts'
import { schemaFingerprint } from './index-fingerprint.ts'
import { keepCheckedFile, readCheckedFile, syncFolder, writeCheckedFile } from './checked-file.ts'

/**
 * The files of an index, all in one folder and all a cache of the documents
 * (docs/formats/manifest.md): `segment-<id>.seg`, `dictionary-<n>.dic`, and `manifest.json`, which
 * is replaced last. The manifest names the others with their checksums, so an intact file from
 * another time or place is also rejected.
 */
const MANIFEST_FILE = 'manifest.json'
/** `AIDC` */
const DICTIONARY_MAGIC = 0x43444941
const MANIFEST_VERSION = 4

/** An index to be saved. */
export interface SavedIndex {
  readonly schema: Schema
  readonly language: string
  readonly counts: DocumentCounts
  /** A snapshot (`TermWriter.frozen`). */
  readonly terms: TermHandles
  readonly trie: SharedArrayBuffer | undefined
  readonly values: readonly (DictionaryHandles | undefined)[]
  /** Oldest first. */
  readonly segments: readonly StoredSegment[]
}

/** An index as read from its files. */
export interface OpenedIndex {
  readonly counts: DocumentCounts
  readonly terms: TermWriter
  readonly trie: SharedArrayBuffer | undefined
  readonly values: readonly (DictionaryWriter | undefined)[]
  readonly segments: readonly StoredSegment[]
}

/** A segment with its file name number. */
export interface StoredSegment {
  readonly id: number
  readonly buffer: SharedArrayBuffer
  /** Bitset of the documents that were live at the time of writing; absent: all were. */
  readonly live: SharedArrayBuffer | undefined
}

interface Manifest {
  readonly version: number
  /** See `schemaFingerprint`. */
  readonly fingerprint: number
  readonly schema: Schema
  readonly language: string
  readonly counts: DocumentCounts
  readonly dictionary: { readonly name: string; readonly checksum: number }
  readonly segments: readonly { readonly id: number; readonly checksum: number }[]
}

/** Writes missing files, then the manifest, then removes files that it no longer names. */
export function saveIndex(
  folder: string,
  index: SavedIndex,
  beat: () => void = () => undefined,
): void {
  mkdirSync(folder, { recursive: true })
  const segments = index.segments.map(({ id, buffer }) => {
    beat()
    return {
      id,
      checksum: keepCheckedFile(join(folder, segmentFile(id)), new Uint8Array(buffer)),
    }
  })
  beat()
  const name = `dictionary-${nextNumber(folder)}.dic`
  const checksum = writeCheckedFile(join(folder, name), new Uint8Array(packDictionaries(index)))
  const manifest: Manifest = {
    version: MANIFEST_VERSION,
    fingerprint: schemaFingerprint(index.language, index.schema),
    schema: index.schema,
    language: index.language,
    counts: index.counts,
    dictionary: { name, checksum },
    segments,
  }
  const text = new TextEncoder().encode(JSON.stringify(manifest))
  writeCheckedFile(join(folder, MANIFEST_FILE), text)
  // Once is enough: after a power failure, a manifest without its files is rejected on reading.
  syncFolder(folder)
  const named = new Set([MANIFEST_FILE, name, ...segments.map(({ id }) => segmentFile(id))])
  for (const name of readdirSync(folder)) if (!named.has(name)) rmSync(join(folder, name))
}

/**
 * Approximate bytes that `saveIndex` writes before it frees any: segments without a file, and the
 * dictionaries.
 */
export function bytesToSave(folder: string, { terms, trie, values, segments }: SavedIndex): number {
  const dictionaries = [terms.strings, ...values].filter((handles) => handles !== undefined)
  const stringBytes = dictionaries.reduce((bytes, handles) => bytes + packedBytes(handles), 0)
  const parts = [
    terms.rows,
    trie,
    ...segments.map(({ live }) => live),
    ...segments
      .filter(({ id }) => !existsSync(join(folder, segmentFile(id))))
      .map(({ buffer }) => buffer),
  ]
  return parts.reduce((bytes, part) => bytes + (part?.byteLength ?? 0), stringBytes)
}

/**
 * Reads the files of an index.
 *
 * @returns undefined if there are none, or if they have another schema, language or fingerprint
 * @throws CorruptDataError, or an error of the file system, if something is missing or wrong
 */
export async function openIndex(
  folder: string,
  schema: Schema,
  language: string,
): Promise<OpenedIndex | undefined> {
  const path = join(folder, MANIFEST_FILE)
  if (!existsSync(path)) return undefined
  const manifest = JSON.parse(
    new TextDecoder().decode(new Uint8Array(await readCheckedFile(path)).slice()),
  ) as Manifest
  if (manifest.version !== MANIFEST_VERSION) {
    throw new CorruptDataError(`${path}: unknown version ${manifest.version}`)
  }
  if (manifest.language !== language || !isBeginningOf(manifest.schema, schema)) return undefined
  const { dictionary, counts } = manifest
  const reading = Promise.all([
    readCheckedFile(join(folder, dictionary.name), dictionary.checksum),
    ...manifest.segments.map(({ id, checksum }) =>
      readCheckedFile(join(folder, segmentFile(id)), checksum),
    ),
  ])
  reading.catch(() => undefined)
  // While the first chunks are read: it takes 60 ms in a new process.
  if (manifest.fingerprint !== schemaFingerprint(language, manifest.schema)) return undefined
  const [dictionaries, ...buffers] = await reading
  const sections = new SectionReader(dictionaries, DICTIONARY_MAGIC)
  const segments = manifest.segments.map(({ id }, i) => ({
    id,
    buffer: buffers[i]!,
    live: sections.has(liveSection(id)) ? sharedCopy(sections.u32(liveSection(id))) : undefined,
  }))
  const packed = { strings: readStrings(sections, 'terms'), rows: readRows(sections) }
  const terms = TermWriter.fromPacked(packed)
  const values = schema.fields.map((_, field) => {
    const name = `values.${field}`
    if (!sections.has(`${name}.arena`)) return undefined
    return DictionaryWriter.fromPacked(readStrings(sections, name))
  })
  const trie = sections.has('trie') ? sharedCopy(sections.u32('trie')) : undefined
  return { counts, terms, trie, values, segments }
}

/** Fields may have been added since; the earlier ones must be equal. */
function isBeginningOf(older: Schema, newer: Schema): boolean {
  return older.fields.every(
    (field, ordinal) => JSON.stringify(field) === JSON.stringify(newer.fields[ordinal]),
  )
}

/** The part that each save rewrites: the dictionaries, and the live documents of each segment. */
function packDictionaries({ terms, trie, values, segments }: SavedIndex): SharedArrayBuffer {
  const sections = new SectionWriter()
  const packed = packTerms(terms)
  addStrings(sections, 'terms', packed.strings)
  const { rows } = packed
  sections.add(rows instanceof Int16Array ? 'terms.rows16' : 'terms.rows', rows)
  if (trie !== undefined) sections.add('trie', new Uint32Array(trie))
  values.forEach((handles, field) => {
    if (handles === undefined) return
    addStrings(sections, `values.${field}`, packStrings(handles))
  })
  for (const { id, live } of segments) {
    if (live !== undefined) sections.add(liveSection(id), new Uint32Array(live))
  }
  return sections.finish(DICTIONARY_MAGIC, {})
}

function addStrings(sections: SectionWriter, name: string, strings: PackedStrings): void {
  sections.add(`${name}.arena`, strings.arena)
  sections.add(`${name}.offsets`, strings.offsets)
  const { table } = strings
  sections.add(table instanceof Uint16Array ? `${name}.table16` : `${name}.table`, table)
}

function readStrings(sections: SectionReader, name: string): PackedStrings {
  const narrow = `${name}.table16`
  return {
    arena: sections.u16(`${name}.arena`),
    offsets: sections.u32(`${name}.offsets`),
    table: sections.has(narrow) ? sections.u16(narrow) : sections.i32(`${name}.table`),
  }
}

function readRows(sections: SectionReader): Int16Array | Int32Array {
  return sections.has('terms.rows16') ? sections.i16('terms.rows16') : sections.i32('terms.rows')
}

function sharedCopy(words: Uint32Array): SharedArrayBuffer {
  const copy = new SharedArrayBuffer(words.byteLength)
  new Uint32Array(copy).set(words)
  return copy
}

function liveSection(id: number): string {
  return `live.${id}`
}

function segmentFile(id: number): string {
  return `segment-${id}.seg`
}

/** One more than the highest number in the names of the dictionaries. */
function nextNumber(folder: string): number {
  const numbers = readdirSync(folder).map((name) =>
    Number(/^dictionary-(\d+)\.dic$/.exec(name)?.[1] ?? 0),
  )
  return Math.max(0, ...numbers) + 1
}
