/** Ends of the names of files that a person is offered to choose from for an import. */
export const IMPORT_ENDINGS = '.csv .tsv .tab .txt .json .jsonl .ndjson .xml .rss .atom .gz'.split(
  ' ',
)
