package io.karmi.guard;

import java.io.ObjectInputFilter.FilterInfo;

/** What a filter is asked, with another class in the place of the one that is read. */
public record InfoOfClass(FilterInfo info, Class<?> serialClass) implements FilterInfo {
  @Override
  public long arrayLength() {
    return info.arrayLength();
  }

  @Override
  public long depth() {
    return info.depth();
  }

  @Override
  public long references() {
    return info.references();
  }

  @Override
  public long streamBytes() {
    return info.streamBytes();
  }
}
