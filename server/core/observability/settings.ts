/** Where OpenTelemetry traces go, and how many. */
export interface TracingSettings {
  /** base address of an OTLP/HTTP collector */
  endpoint: string
  /** share of the traces that begin here; those of a caller follow the caller's decision */
  percent: number
}
