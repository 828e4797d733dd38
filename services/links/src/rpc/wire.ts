/** Casts a view: protobuf accepts null for absent fields, which its types do not express. */
export const toWire = <V>(view: V) => view as { [F in keyof V]: NonNullable<V[F]> };
