/**
 * - `carried`: the configuration is another one with it;
 * - `reported`: the report names it, or the object that it is a member of;
 * - `refused`: nothing is written;
 * - `fact`: it says nothing about searches, or is the same here.
 */
export type Outcome = 'carried' | 'reported' | 'refused' | 'fact'

/** Its place, its name, a value other than the default, and the expected outcome. */
export type Documented = readonly [where: string, name: string, value: unknown, outcome: Outcome]
