package io.karmi.ring;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an {@link OutgoingRing}, in pages that are there only while bytes lie in them.
 *
 * <p>A producer that stores into a page that is not there takes one from the pool; if two do, one
 * of them gives its own back. The consumer gives a page back when it has consumed all of it, and
 * only then tells the producers. As these reserve only what lies in pages that were given back, a
 * page never has bytes of two rounds through the ring, nor notes.
 *
 * <p>A thread may still look for a note in a page that has meanwhile been given back. What it finds
 * does no harm: the committed position has moved on, and with it the note is of no use.
 *
 * <p>Thread-safe, without locks.
 */
final class RingPages {
  /** Smallest number of pages of a ring: a reservation of half of it always fits. */
  private static final int MINIMUM = 8;

  private final AtomicReferenceArray<@Nullable RingPage> pages;
  private final RingPagePool pool;
  private final int capacity;
  private final int pageBytes;
  private final int pageShift;

  RingPages(int capacity, RingPagePool pool) {
    this.capacity = capacity;
    this.pool = pool;
    pageBytes = Math.min(RingPagePool.PAGE_BYTES, capacity / MINIMUM);
    pageShift = Integer.numberOfTrailingZeros(pageBytes);
    pages = new AtomicReferenceArray<>(capacity / pageBytes);
  }

  long pageStart(long position) {
    return position & -pageBytes;
  }

  private int index(long position) {
    return (int) (position & capacity - 1) >>> pageShift;
  }

  private int offset(long position) {
    return (int) position & pageBytes - 1;
  }

  private RingPage pageForStoring(long position) {
    int index = index(position);
    RingPage page = pages.get(index);
    return page != null ? page : make(index);
  }

  private RingPage make(int index) {
    RingPage made = pool.take(pageBytes);
    RingPage other = pages.compareAndExchange(index, null, made);
    if (other == null) {
      return made;
    }
    pool.giveBack(made);
    return other;
  }

  void put(long position, byte[] from, int offset, int length) {
    long to = position;
    for (int done = 0; done < length; ) {
      int count = Math.min(length - done, untilEnd(to));
      System.arraycopy(from, offset + done, pageForStoring(to).bytes, offset(to), count);
      done += count;
      to += count;
    }
  }

  void get(long position, byte[] to, int offset, int length) {
    long from = position;
    for (int done = 0; done < length; ) {
      int count = Math.min(length - done, untilEnd(from));
      System.arraycopy(bytes(from), offset(from), to, offset + done, count);
      done += count;
      from += count;
    }
  }

  /** The array in which committed bytes lie; {@link #offsetIn} says where. */
  byte[] bytes(long position) {
    RingPage page = pages.get(index(position));
    if (page == null) {
      throw new IllegalStateException("no bytes were stored at " + position);
    }
    return page.bytes;
  }

  int offsetIn(long position) {
    return offset(position);
  }

  int untilEnd(long position) {
    return pageBytes - offset(position);
  }

  /** Notes that bytes are complete, whose room was reserved. */
  void setNote(long position, int length) {
    pageForStoring(position).setNote(offset(position), length);
  }

  /** The number of bytes that are complete from a position on, by its note; 0 if there is none. */
  int note(long position) {
    RingPage page = pages.get(index(position));
    return page == null ? 0 : page.note(offset(position));
  }

  /** Gives the pages back that end between two positions. */
  void drop(long from, long to) {
    for (long start = pageStart(from); start + pageBytes <= to; start += pageBytes) {
      dropPage(start);
    }
  }

  /** Gives the page back in which a position lies, if it is there. */
  void dropPage(long position) {
    int index = index(position);
    RingPage page = pages.get(index);
    if (page != null) {
      pages.set(index, null);
      pool.giveBack(page);
    }
  }

  /** Bytes of memory that the ring has at the moment, without notes. */
  int heldBytes() {
    int held = 0;
    for (int i = 0; i < pages.length(); i++) {
      held += pages.get(i) == null ? 0 : pageBytes;
    }
    return held;
  }
}
