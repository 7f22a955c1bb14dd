/** Somebody else keeps the rows of an account locked. Nothing was written. */
export class RowsLocked extends Error {
  constructor() {
    super('the account is being changed by somebody else')
    this.name = 'RowsLocked'
  }
}

/** In place of the result of an operation whose rows somebody else has locked. */
export const rowsLocked = Symbol('rows locked')
