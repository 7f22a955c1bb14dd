/** Where PostgreSQL's programs are; what has to be fetched for them is put into `folder`. */
export function findBinaries(folder: string): Promise<string | undefined>
export function startPostgres(settings?: Record<string, string>): Promise<{ url: string; stop(): Promise<void> }>
