// What a call of the API takes and gives, worked out from its path and method. Only types: never sent to browsers.

import type { paths } from "./api";

type Method = "get" | "post" | "put";
type Operation<P extends keyof paths, M extends Method> = Extract<paths[P][M], { responses: unknown }>;
type Success<O> = O extends { responses: infer R } ? R[Extract<keyof R, 200 | 201 | 202>] : never;
type JsonOf<R> = R extends { content: { "application/json": infer B } } ? B : never;
type Part<O, K extends "path" | "query"> = O extends { parameters: { [key in K]: infer V } } ? V : O extends { parameters: { [key in K]?: infer V } } ? Exclude<V, undefined> : {};

/** The paths that have a method. */
export type PathWith<M extends Method> = { [P in keyof paths]: [Operation<P, M>] extends [never] ? never : P }[keyof paths];
/** What stands in the path and in the query. */
export type Params<P extends keyof paths, M extends Method> = (Part<Operation<P, M>, "path"> extends infer V ? ([V] extends [never] ? {} : V) : {}) & (Part<Operation<P, M>, "query"> extends infer V ? ([V] extends [never] ? {} : { [key in keyof V]?: V[key] | null }) : {});
/** What is sent. */
export type Body<P extends keyof paths, M extends Method> = Operation<P, M> extends { requestBody?: infer R } ? JsonOf<Exclude<R, undefined>> : undefined;
/** What comes back, where all is well. */
export type Answer<P extends keyof paths, M extends Method> = JsonOf<Success<Operation<P, M>>>;
