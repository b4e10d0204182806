/**
 * The row of a document as JSON, with its id beside its columns: no column is taken for something
 * else, whatever its name.
 *
 * @param id text of the id column
 * @param members `"name":value`, separated by commas
 */
export function documentRow(id: string, members: string): string {
  return `{"id":${JSON.stringify(id)},"data":{${members}}}`
}
