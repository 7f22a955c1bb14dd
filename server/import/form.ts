/** The common form: what every program's reader gives and the one writer stores. Times are epoch seconds. */

export interface ForeignUser {
  readonly id: number
  readonly isDeleted: boolean
  readonly username: string
  /** A bcrypt hash, or '' for none. */
  readonly password: string
  readonly displayName: string
  readonly role: number
  readonly isEnabled: boolean
  readonly email: string
  /** GitHub's number of the account, where the program keeps it. */
  readonly githubId: string
  readonly githubLogin: string
  readonly wechatId: string
  /** Issuer and subject, as `issuer#subject`. */
  readonly oidcId: string
  readonly accessToken: string
  /** Null where no number stands: it is taken for 0, and said so. */
  readonly quota: number | null
  readonly usedQuota: number
  readonly requestCount: number
  /** Comma-separated. */
  readonly group: string
  readonly affCode: string
  readonly inviterId: number
  /** 0 when the program does not know. */
  readonly createdTime: number
  /** Base32; '' without an authenticator. */
  readonly totpSecret: string
}

export interface ForeignToken {
  readonly id: number
  readonly isDeleted: boolean
  readonly userId: number
  readonly key: string
  readonly name: string
  readonly status: number
  readonly createdTime: number
  readonly accessedTime: number
  /** -1: never. */
  readonly expiredTime: number
  readonly remainQuota: number | null
  readonly isUnlimited: boolean
  readonly usedQuota: number
  /** Comma-separated; '': all. */
  readonly models: string
  /** Comma-separated addresses and ranges; '': from everywhere. */
  readonly subnet: string
  /** '': all groups of its user. */
  readonly group: string
  /** Limits we cannot keep: each switches the token off. */
  readonly doubts: readonly string[]
}

/** A channel in our terms, or why there is nothing like it here. */
export type ForeignChannel = { readonly id: number; readonly name: string } & (
  | { readonly leftOut: string }
  | ({ readonly leftOut?: never } & ChannelFacts)
)

export interface ChannelFacts {
  /** One of ours. */
  readonly type: number
  /** Its kind in the old program, where it became another one here. */
  readonly was?: string
  readonly key: string
  /** Every line of the key is a key of its own. */
  readonly isPool: boolean
  /** Keys of the pool that are switched off. */
  readonly disabledKeys: readonly string[]
  readonly baseUrl: string
  readonly other: string
  /** JSON, or ''. */
  readonly modelMapping: string
  readonly models: string
  readonly group: string
  readonly status: number
  readonly priority: number
  readonly weight: number
  readonly responseTime: number
  readonly testTime: number
  readonly balance: number
  readonly balanceUpdatedTime: number
  readonly usedQuota: number
  readonly createdTime: number
  readonly tags: string
  /** JSON objects, or ''. */
  readonly headers: string
  readonly overrides: string
  readonly proxy: string
  readonly testModel: string
  /** Why a person should look before it is used: each switches the channel off. */
  readonly doubts: readonly string[]
  /** What it had that has no place here, and changes nothing about who may do what. */
  readonly remarks: readonly string[]
}

export interface ForeignCode {
  readonly id: number
  readonly isDeleted: boolean
  readonly userId: number
  readonly key: string
  readonly status: number
  readonly name: string
  readonly quota: number | null
  readonly createdTime: number
  readonly redeemedTime: number
  readonly redeemedBy: number
  /** 0: never. */
  readonly expiredTime: number
}

/** Money that came in. It becomes a ledger entry of its day; the opening entry makes up the balance. */
export interface ForeignTopUp {
  readonly id: number
  readonly userId: number
  readonly quota: number
  readonly at: number
}

export interface ForeignLog {
  readonly id: number
  readonly userId: number
  readonly createdAt: number
  readonly type: number
  readonly content: string
  readonly username: string
  readonly tokenName: string
  readonly tokenId: number
  readonly modelName: string
  readonly quota: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cachedTokens: number
  readonly channelId: number
  readonly requestId: string
  readonly durationMs: number
  readonly isStream: boolean
  readonly group: string
}

/** Rows of a kind that has no place here, with what to do about them. */
export interface LeftOut {
  readonly what: string
  readonly count: number
  readonly advice: string
}

export type Pages<Row> = AsyncIterable<readonly Row[]>

/** What a program's database holds, in the common form, a page at a time and by id. */
export interface ForeignReader {
  users(): Pages<ForeignUser>
  tokens(): Pages<ForeignToken>
  channels(): Pages<ForeignChannel>
  codes(): Pages<ForeignCode>
  topUps(): Pages<ForeignTopUp>
  /** Under our names, prices and limits among them. Values may be invalid: the writer checks them. */
  options(): Promise<ReadonlyMap<string, string>>
  logs(range: { readonly after: number; readonly until: number }): Pages<ForeignLog>
  lastLog(): Promise<number>
  /** The highest id below which no row can appear any more, while the old program still writes. */
  settledLog(): Promise<number>
  countLogs(): Promise<number>
  leftOut(): Promise<readonly LeftOut[]>
  /** Ends the snapshot. Later reads see the present state and lock nothing. */
  release(): Promise<void>
}
