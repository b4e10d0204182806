import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIXTURE_DIMENSIONS, FIXTURE_WORDS } from './fixture-words.ts'

const MARKS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]']
const INT64 = 7
const FLOAT = 1

/**
 * Writes a model folder of a few kilobytes: a BERT tokenizer, and an ONNX graph that looks up one
 * vector per token, `last_hidden_state = Gather(weights, input_ids)`.
 */
export function writeFixtureModel(
  folder: string,
  output = 'last_hidden_state',
  vectors = FIXTURE_WORDS,
): void {
  mkdirSync(folder, { recursive: true })
  const words = [...MARKS, ...Object.keys(vectors)]
  const vocab = Object.fromEntries(words.map((word, id) => [word, id]))
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer(vocab)))
  const weights = words.flatMap((word) => [
    ...(vectors[word] ?? Array.from({ length: FIXTURE_DIMENSIONS }, () => 0.01)),
  ])
  writeFileSync(join(folder, 'model.onnx'), model(words.length, Float32Array.from(weights), output))
}

function tokenizer(vocab: Readonly<Record<string, number>>): object {
  const special = (id: string): object => ({ SpecialToken: { id, type_id: 0 } })
  const [cls, sep] = ['[CLS]', '[SEP]']
  return {
    version: '1.0',
    added_tokens: MARKS.map((content, id) => ({
      id,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special(cls!), { Sequence: { id: 'A', type_id: 0 } }, special(sep!)],
      pair: [special(cls!), { Sequence: { id: 'A', type_id: 0 } }, special(sep!)],
      special_tokens: {
        [cls!]: { id: cls, ids: [vocab[cls!]], tokens: [cls] },
        [sep!]: { id: sep, ids: [vocab[sep!]], tokens: [sep] },
      },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  }
}

/** The messages of onnx.proto, by the numbers of their fields. */
function model(wordCount: number, weights: Float32Array, output: string): Uint8Array {
  const tokens = ['batch', 'sequence']
  const gather = [text(1, 'weights'), text(1, 'input_ids'), text(2, output), text(4, 'Gather')]
  const initializer = [
    number(1, wordCount),
    number(1, FIXTURE_DIMENSIONS),
    number(2, FLOAT),
    text(8, 'weights'),
    bytes(9, new Uint8Array(weights.buffer)),
  ]
  const graph = [
    message(1, gather),
    text(2, 'fixture'),
    message(5, initializer),
    message(11, tensorInfo('input_ids', INT64, tokens)),
    message(11, tensorInfo('attention_mask', INT64, tokens)),
    message(12, tensorInfo(output, FLOAT, [...tokens, FIXTURE_DIMENSIONS])),
  ]
  return concat([number(1, 8), message(7, graph), message(8, [text(1, ''), number(2, 13)])])
}

function tensorInfo(name: string, type: number, shape: readonly (string | number)[]): Uint8Array[] {
  const dims = shape.map((dim) =>
    message(1, [typeof dim === 'number' ? number(1, dim) : text(2, dim)]),
  )
  return [text(1, name), message(2, [message(1, [number(1, type), message(2, dims)])])]
}

function number(field: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(field << 3), ...varint(value)])
}

function text(field: number, value: string): Uint8Array {
  return bytes(field, Buffer.from(value))
}

function message(field: number, parts: readonly Uint8Array[]): Uint8Array {
  return bytes(field, concat(parts))
}

function bytes(field: number, value: Uint8Array): Uint8Array {
  return concat([Uint8Array.from([...varint((field << 3) | 2), ...varint(value.length)]), value])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}
