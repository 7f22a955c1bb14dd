/** By the names of environment variables. */
export declare const runtimeSettings: Readonly<Record<string, string>>
