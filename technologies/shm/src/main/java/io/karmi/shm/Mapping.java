package io.karmi.shm;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import org.jspecify.annotations.Nullable;

/**
 * Mapping of files into memory, to be read and written. A mapping lasts until nothing refers to it.
 *
 * <p>{@link FileChannel#map(MapMode, long, long)} makes its buffer by reflection. From JDK 22 on,
 * which make method handles for that, this is most of the time of the first mapping: 20 to 50 ms of
 * processor time in a JVM that has just started. There a file is mapped to a {@code MemorySegment}
 * instead. JDK 17 does not have its types; a method handle takes them as objects, without generated
 * code.
 */
final class Mapping {
  /** The first JDK in which memory segments are no preview feature. */
  private static final int SEGMENTS_SINCE = 22;

  private static final @Nullable Mapping SEGMENTS = ofSegments();

  private final MethodHandle arena;
  private final MethodHandle map;
  private final MethodHandle buffer;

  private Mapping(Lookup lookup) throws ReflectiveOperationException {
    Class<?> arenas = Class.forName("java.lang.foreign.Arena");
    Class<?> segments = Class.forName("java.lang.foreign.MemorySegment");
    arena =
        untyped(
            lookup.findStatic(arenas, "ofAuto", MethodType.methodType(arenas)),
            MethodType.methodType(Object.class));
    map =
        untyped(
            lookup.findVirtual(
                FileChannel.class,
                "map",
                MethodType.methodType(segments, MapMode.class, long.class, long.class, arenas)),
            MethodType.methodType(
                Object.class,
                FileChannel.class,
                MapMode.class,
                long.class,
                long.class,
                Object.class));
    buffer =
        untyped(
            lookup.findVirtual(segments, "asByteBuffer", MethodType.methodType(ByteBuffer.class)),
            MethodType.methodType(ByteBuffer.class, Object.class));
  }

  /**
   * Changes the type of a method handle; {@code asType} would assemble a check of each interface.
   */
  private static MethodHandle untyped(MethodHandle typed, MethodType type) {
    return MethodHandles.explicitCastArguments(typed, type);
  }

  private static @Nullable Mapping ofSegments() {
    if (Runtime.version().feature() < SEGMENTS_SINCE) {
      return null; // without a look for classes that are in no jar
    }
    try {
      return new Mapping(MethodHandles.publicLookup());
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Links the code that maps files, so that the first mapping need not do so. */
  static void prepare() {
    // the initialization of this class
  }

  /** Maps the first bytes of a file. */
  static ByteBuffer of(FileChannel channel, int lengthBytes) throws IOException {
    return SEGMENTS == null
        ? channel.map(MapMode.READ_WRITE, 0, lengthBytes)
        : SEGMENTS.map(channel, lengthBytes);
  }

  private ByteBuffer map(FileChannel channel, long lengthBytes) throws IOException {
    try {
      Object segment =
          (Object)
              map.invokeExact(
                  channel, MapMode.READ_WRITE, 0L, lengthBytes, (Object) arena.invokeExact());
      return (ByteBuffer) buffer.invokeExact(segment);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("mapping a file failed in an unknown way", e);
    }
  }
}
