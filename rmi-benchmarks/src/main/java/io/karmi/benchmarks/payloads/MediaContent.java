package io.karmi.benchmarks.payloads;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The payload of the jvm-serializers benchmark, with its usual values. */
public final class MediaContent implements Serializable {
  private static final long serialVersionUID = 1;

  private final Media media;
  private final List<Image> images;

  private MediaContent(Media media, List<Image> images) {
    this.media = media;
    this.images = images;
  }

  /** The values that benchmark publishes. */
  public static MediaContent javaone() {
    List<Image> images = new ArrayList<>();
    images.add(
        new Image(
            "http://javaone.com/keynote_large.jpg", "Javaone Keynote", 1024, 768, Size.LARGE));
    images.add(new Image("http://javaone.com/keynote_small.jpg", null, 320, 240, Size.SMALL));
    return new MediaContent(new Media(), images);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof MediaContent that
        && media.equals(that.media)
        && images.equals(that.images);
  }

  @Override
  public int hashCode() {
    return Objects.hash(media, images);
  }

  /** The player of a film. */
  public enum Player {
    JAVA,
    FLASH
  }

  /** Size of an image. */
  public enum Size {
    SMALL,
    LARGE
  }

  /** One film. */
  public static final class Media implements Serializable {
    private static final long serialVersionUID = 1;

    private final String uri = copy("http://javaone.com/keynote.mpg");
    private final String title = copy("Javaone Keynote");
    private final int width = Integer.parseInt("640");
    private final int height = Integer.parseInt("480");
    private final String format = copy("video/mpg4");
    private final long duration = Long.parseLong("18000000");
    private final long size = Long.parseLong("58982400");
    private final int bitrate = Integer.parseInt("262144");
    private final boolean hasBitrate = Boolean.parseBoolean("true");
    private final List<String> persons = new ArrayList<>(List.of("Bill Gates", "Steve Jobs"));
    private final Player player = Player.valueOf("JAVA");
    private final @Nullable String copyright = null;

    private Media() {}

    /** No constant of the class file: every field is read from the object, as in a program. */
    private static String copy(String text) {
      return new StringBuilder(text).toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Media that
          && uri.equals(that.uri)
          && title.equals(that.title)
          && width == that.width
          && height == that.height
          && format.equals(that.format)
          && duration == that.duration
          && size == that.size
          && bitrate == that.bitrate
          && hasBitrate == that.hasBitrate
          && persons.equals(that.persons)
          && player == that.player
          && Objects.equals(copyright, that.copyright);
    }

    @Override
    public int hashCode() {
      return Objects.hash(uri, title, width, height, format, duration, size, persons, player);
    }
  }

  /** One picture. */
  public static final class Image implements Serializable {
    private static final long serialVersionUID = 1;

    private final String uri;
    private final @Nullable String title;
    private final int width;
    private final int height;
    private final Size size;

    Image(String uri, @Nullable String title, int width, int height, Size size) {
      this.uri = uri;
      this.title = title;
      this.width = width;
      this.height = height;
      this.size = size;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Image that
          && uri.equals(that.uri)
          && Objects.equals(title, that.title)
          && width == that.width
          && height == that.height
          && size == that.size;
    }

    @Override
    public int hashCode() {
      return Objects.hash(uri, title, width, height, size);
    }
  }
}
