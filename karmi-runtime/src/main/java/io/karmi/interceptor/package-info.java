/**
 * Extension points of remote calls, on both sides: interceptors around calls, authorizers in front
 * of them, and the identity of the caller.
 *
 * <p>A {@link io.karmi.interceptor.CallInterceptor} is found by the service loader, or added by
 * {@code io.karmi.Karmi.add}. It sees each call before it leaves and when it has ended, and the
 * same at the callee; it may send text along, such as the context of a trace; and the same of
 * messages and requests. It does not see arguments, results and contents. Where there is none,
 * calls and messages cost nothing more.
 */
@NullMarked
package io.karmi.interceptor;

import org.jspecify.annotations.NullMarked;
