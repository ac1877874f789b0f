package app;

/** A shop and a post in one JVM; with two ports of shops and one of a post it visits them. */
public final class Mall {
  private Mall() {}

  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      ShopServer.main(args);
      Post.main(args);
    } else {
      ShopClient.main(new String[] {args[0], args[1]});
      Post.main(new String[] {args[2]});
    }
  }
}
