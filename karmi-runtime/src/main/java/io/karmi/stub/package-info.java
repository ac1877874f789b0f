/**
 * Stubs and skeletons (paper, section 4.1): a stub is the proxy of a remote object at its caller,
 * and a skeleton calls the object at its home.
 *
 * <p>{@link StubType} represents one list of remote interfaces, and makes their stubs and
 * skeletons. {@link StubTypes} finds it, by implementation class or by interfaces. Their classes
 * were made ahead of time by karmic, or are generated now from the same emitter ({@link
 * GeneratedCode}), beside the interface or in a small loader of their own ({@link StubLoader});
 * where neither may be, a dynamic proxy and a {@link ReflectiveSkeleton} serve, slower.
 *
 * <p>A stub is a {@link java.rmi.server.RemoteStub}. It travels through calls as a {@link
 * StubForm}, and through any other object stream as a {@link StoredStub}.
 */
@NullMarked
package io.karmi.stub;

import org.jspecify.annotations.NullMarked;
