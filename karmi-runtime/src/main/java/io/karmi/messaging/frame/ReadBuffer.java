package io.karmi.messaging.frame;

/**
 * What a link has read and not given to its lanes. The bytes lie in a chunk, of which lanes may
 * hold a part: a large one while much comes at a time, else a small one.
 *
 * <p>Belongs to the thread that reads.
 */
public final class ReadBuffer {
  /** Number of successive small reads after which a small chunk is used again. */
  private static final int SMALL_READS = 1_000;

  private static final byte[] NOTHING = {};

  private final ChunkPool pool;
  private Chunk chunk;
  private int start;
  private int end;

  private boolean largeWanted;
  private int smallReads;

  /**
   * An empty buffer.
   *
   * @param window bytes that the other end may have under way
   */
  public ReadBuffer(int window, ArrayPool arrays) {
    pool = new ChunkPool(window, arrays);
    chunk = new Chunk(NOTHING, 0, 0);
  }

  /** The array with the bytes, until room is made. */
  public byte[] bytes() {
    return chunk.bytes;
  }

  /** Index of the first byte that was not taken. */
  public int start() {
    return start;
  }

  /** The number of bytes that were not taken. */
  public int length() {
    return end - start;
  }

  /** Nothing has come for a while, or most of what comes is read elsewhere. */
  public void shrink() {
    largeWanted = false;
  }

  /** Gives the chunk back until room is made, if nothing is in it. */
  public void rest() {
    if (start == end && chunk.isFree()) {
      start = 0;
      end = 0;
      chunk.release();
      chunk = new Chunk(NOTHING, 0, 0);
    }
  }

  /** Makes room for bytes to come, behind {@link #end}; returns how many. */
  public int makeRoom() {
    if (start == end && chunk.isFree()) {
      beginChunk();
    } else if (end == chunk.bytes.length) {
      continueInAnother();
    }
    return chunk.bytes.length - end;
  }

  /** Index at which the next bytes are to be stored. */
  public int end() {
    return end;
  }

  /** Bytes were stored, of so much room. */
  public void stored(int count, int room) {
    end += count;
    if (count == room) {
      largeWanted = true;
      smallReads = 0;
    } else if (count > Chunk.SMALL_BYTES) {
      smallReads = 0;
    } else if (++smallReads >= SMALL_READS) {
      largeWanted = false;
    }
  }

  /** Adds bytes that were read elsewhere. */
  public void put(byte[] from, int offset, int count) {
    if (makeRoom() < count) {
      continueInAnother();
    }
    System.arraycopy(from, offset, chunk.bytes, end, count);
    end += count;
  }

  /** Bytes are taken, from {@link #start} on. */
  public void take(int count) {
    start += count;
  }

  /** A frame that has come in part fits behind {@link #start}. */
  public void makeRoomFor(int length) {
    if (start + length > chunk.bytes.length) {
      largeWanted |= length > Chunk.SMALL_BYTES;
      continueInAnother();
    }
  }

  private void beginChunk() {
    start = 0;
    end = 0;
    if (chunk.isLarge() != largeWanted || chunk.bytes.length == 0) {
      chunk.release();
      chunk = pool.take(largeWanted);
    }
  }

  /** What has come of a frame goes on in another chunk, as other frames may still lie in this. */
  private void continueInAnother() {
    int begun = end - start;
    Chunk next = pool.take(largeWanted || begun > Chunk.SMALL_BYTES / 2);
    System.arraycopy(chunk.bytes, start, next.bytes, 0, begun);
    chunk.release();
    chunk = next;
    end = begun;
    start = 0;
  }

  /** Whether bytes are to be copied out for who keeps them, as too many chunks are in use. */
  public boolean isScarce() {
    return pool.isScarce();
  }

  /** The chunk with the bytes; who keeps bytes of it releases it. */
  public Chunk hold() {
    chunk.hold();
    return chunk;
  }

  /** Bytes of the array that is read into. */
  public int heldBytes() {
    return chunk.bytes.length;
  }

  /** Chunks that are in use. */
  public int chunks() {
    return pool.used();
  }
}
